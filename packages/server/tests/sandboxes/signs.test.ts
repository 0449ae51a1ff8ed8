import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  // denied calls are heard in forks of a template
  server = await startTestServer({ COHEREX_WARM: 'true' })
  owner = await server.owner()
})
afterAll(() => server.stop())

test('what a process beside the cells was denied is in the audit log once its sandbox sleeps or is deleted', async ({
  skip,
}) => {
  skip(process.getuid?.() !== 0, 'who is not root does not hear of them')
  const [sleeping, deleted] = [
    await owner.call(routes.sandboxes.create, { body: {} }),
    await owner.call(routes.sandboxes.create, { body: {} }),
  ]
  for (const { id } of [sleeping, deleted]) {
    const { pid } = await owner.call(routes.sandboxes.startProcess, {
      params: { id },
      body: { command: 'unshare -r true' },
    })
    const exit = async () => (await owner.call(routes.sandboxes.getProcess, { params: { id, pid } })).exit
    await expect.poll(exit).toBeTruthy()
  }
  await owner.call(routes.sandboxes.remove, { params: { id: deleted.id } })
  await owner.call(routes.sandboxes.extend, { params: { id: sleeping.id }, body: { idleTimeoutMs: 1000 } })
  await expect
    .poll(async () => (await owner.call(routes.sandboxes.get, { params: { id: sleeping.id } })).status)
    .toBe('sleeping')
  const { items } = await owner.call(routes.audit.list, { query: { action: 'sandbox.alert' } })
  const signs = [{ kind: 'denied-syscall', detail: 'refused: unshare' }]
  expect(items.map(({ target, details }) => [target?.id, details['signs']])).toEqual([
    [sleeping.id, signs],
    [deleted.id, signs],
  ])
})
