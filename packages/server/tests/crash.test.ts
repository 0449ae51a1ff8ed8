import { createClient, routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf } from './harness/load/children-of.ts'
import { ownTime, readCoreTime, waitedSince, waitsOf, watchWaits } from './harness/load/core-time.ts'
import { isLong } from './harness/long-tests.ts'
import {
  embeddedPid,
  isAlive,
  makeTestDirectory,
  startServerProcess,
  type ServerProcess,
} from './harness/server-process.ts'

const token = 'a_fixed_token_for_this_test'
const kills = isLong ? 20 : 5
const readyWithinMs = 5000

let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess | undefined

beforeAll(async () => {
  directory = await makeTestDirectory()
})
afterAll(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  await directory.remove()
})

// nothing is run here, so nothing is warmed
const start = () =>
  startServerProcess({ COHEREX_DATA_DIR: directory.path, COHEREX_TOKEN: token, COHEREX_WARM: 'false' })

test(
  `killed with -9 ${kills} times while people write, it loses nothing it acknowledged and is back in time`,
  { timeout: isLong ? 600_000 : 240_000 },
  async () => {
    const acknowledged = new Set<string>()
    for (let round = 0; round < kills; round++) {
      const { started: killed, ownMs } = await startTimed()
      server = killed
      if (round > 0) expect(ownMs).toBeLessThan(readyWithinMs)
      const enough = round * 7 + 10
      await writeUntilKilled(killed, `ROUND_${round}`, acknowledged, enough)
      await killed.ended
      // the database it left behind is cleared up by the next start
      expect(isAlive(await embeddedPid(directory.path))).toBe(true)
    }
    server = await start()
    const stored = await listSecrets(server)
    expect([...acknowledged].filter((name) => !stored.has(name))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(kills * 10)
  },
)

/** Four clients write as fast as they are answered; the server is killed in the middle of it. */
async function writeUntilKilled(target: ServerProcess, prefix: string, acknowledged: Set<string>, enough: number) {
  const call = createClient({ baseUrl: target.url, fetch, key: token })
  let count = 0
  let isKilled = false
  const writer = async (id: number) => {
    for (let index = 0; ; index++) {
      const name = `${prefix}_${id}_${index}`
      try {
        await call(routes.secrets.put, { params: { name }, body: { value: `value of ${name}` } })
      } catch (error) {
        if (isKilled) return // this one was not acknowledged
        throw error
      }
      acknowledged.add(name)
      if (++count < enough) continue
      isKilled = true
      target.kill('SIGKILL')
    }
  }
  await Promise.all([0, 1, 2, 3].map(writer))
}

async function listSecrets(target: ServerProcess): Promise<Set<string>> {
  const call = createClient({ baseUrl: target.url, fetch, key: token })
  const names = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await call(routes.secrets.list, { query: { limit: 100, ...(cursor ? { cursor } : {}) } })
    for (const { name } of page.items) names.add(name)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return names
}

/** Starts it and takes the time to the line that says it is ready, without what it and its database waited for a core. */
async function startTimed(): Promise<{ started: ServerProcess; ownMs: number }> {
  const us = watchWaits(['self'])
  const started = await start()
  const thread = readCoreTime(`/proc/${started.pid}/task/${started.pid}`)
  const postgres = await embeddedPid(directory.path)
  const all = [started.pid, postgres, ...childrenOf(postgres).map(({ id }) => id)]
  const helpersWaited = waitedSince(new Map(), waitsOf(all)) - thread.waited + us.stop()
  return { started, ownMs: ownTime({ passed: started.readyMs, thread, helpersWaited }) }
}
