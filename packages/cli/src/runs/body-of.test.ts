import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'

const server = createServer((_, response) => response.end('1,2'))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('a body is whole when its response was let go of before it was read', async () => {
  const session = new Session()
  session.connect()
  const { port } = server.address() as AddressInfo
  const fetchBody = async () => bodyOf(await fetch(`http://127.0.0.1:${port}`))
  const body = await fetchBody()
  for (let round = 0; round < 10; round++) {
    await session.post('HeapProfiler.collectGarbage')
    await turn()
  }
  session.disconnect()
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  expect(Buffer.concat(chunks).toString()).toBe('1,2')
})
