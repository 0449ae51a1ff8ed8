import { routes, type RuntimeName } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('[RT-9] the figures of a runtime tell how many runs it had, from where, and how long they took', async () => {
  const owner = await server.owner()
  const figures = async (name: RuntimeName) => {
    const { items } = await owner.call(routes.runs.runtimes, {})
    const found = items.find((one) => one.name === name)
    if (!found) throw new Error(`there is no runtime "${name}"`)
    return found.metrics
  }
  const run = (code: string) => owner.call(routes.runs.create, { body: { language: 'javascript', code } })
  const before = { isolate: await figures('isolate'), process: await figures('process') }

  // one after the other: after the first, there is a child of this team to come back to
  for (let n = 0; n < 3; n++)
    expect(await run('await new Promise((done) => setTimeout(done, 60))')).toMatchObject({ status: 'succeeded' })
  expect(await run('throw new Error("mine")')).toMatchObject({ status: 'failed' })

  const after = await figures('isolate')
  expect({ runs: after.runs - before.isolate.runs, failures: after.failures }).toEqual({ runs: 4, failures: 0 })
  expect(after.poolHits - before.isolate.poolHits).toBeGreaterThanOrEqual(3)
  // of four, one took next to no time: the median is one of those that slept
  expect(after.durationMs.p50).toBeGreaterThanOrEqual(60)
  for (const times of [after.startMs, after.durationMs, after.queuedMs]) {
    expect(times.p50).toBeGreaterThanOrEqual(0)
    expect(times.p95).toBeGreaterThanOrEqual(times.p50)
    expect(times.p99).toBeGreaterThanOrEqual(times.p95)
  }
  expect(after.startMs.p99).toBeGreaterThan(0)
  expect(await figures('process')).toEqual(before.process)
})
