import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../base/index.ts'
import { createPreviewLinks } from './preview-links.ts'
import { createPreviews, type PreviewsOptions } from './previews.ts'

const closers: (() => void)[] = []
// all at one moment: what is told depends on how much has been refilled meanwhile
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  for (const close of closers.splice(0)) close()
})

/** Previews on a real port. A preflight is answered without a sandbox, so there is none. */
async function start(rates: NonNullable<PreviewsOptions['rates']>) {
  const server = createServer((request, response) => void previews.answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const links = createPreviewLinks({ key: new Uint8Array(32), publicUrl })
  const absent = {} as Pick<PreviewsOptions, 'sandboxes' | 'identifyCaller' | 'standing'>
  const previews = createPreviews({ ...absent, links, publicUrl, rates, trustProxy: true, log: createLog('silent') })
  closers.push(
    () => server.close(),
    () => previews.close(),
  )
  return async (sandboxId: string, viewer: string) => {
    const { url } = links.forAnyone({ teamId: 'team_1', sandboxId, port: 8000 }, 1, 'per_1')
    const headers = { origin: 'null', 'access-control-request-method': 'GET', 'x-forwarded-for': viewer }
    const answer = await fetch(url, { method: 'OPTIONS', headers })
    return [answer.status, answer.headers.get('retry-after')]
  }
}

test('a viewer who asks for more than a page needs is told when to come again; others are not held up', async () => {
  const ask = await start({ viewer: { burst: 2, perSecond: 0.1 }, sandbox: { burst: 100, perSecond: 1 } })
  const answers = [await ask('one', '10.0.0.1'), await ask('one', '10.0.0.1'), await ask('one', '10.0.0.1')]
  expect(answers).toEqual([
    [204, null],
    [204, null],
    [429, '10'],
  ])
  expect(await ask('one', '10.0.0.2')).toEqual([204, null])
  expect(await ask('other', '10.0.0.1')).toEqual([204, null])
})

test('many viewers together do not ask more of a sandbox than it can stand', async () => {
  const ask = await start({ viewer: { burst: 100, perSecond: 1 }, sandbox: { burst: 2, perSecond: 0.1 } })
  const answers = [await ask('one', '10.0.0.1'), await ask('one', '10.0.0.2'), await ask('one', '10.0.0.3')]
  expect(answers.map(([status]) => status)).toEqual([204, 204, 429])
})
