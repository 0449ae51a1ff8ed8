import { routes } from '@coherex/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { startNpmRegistry } from '../harness/outside/npm-registry.ts'

vi.setConfig({ testTimeout: 120_000 })

const registry = await startNpmRegistry()
const { chat, owner } = await startAgentServer({ COHEREX_NPM_REGISTRY: registry.url })
afterAll(() => registry.close())

test('the sandbox of a thread has the packages that its agent names', async () => {
  await registry.publish({ name: 'greeter', version: '1.0.0' }, { name: 'greeter', version: '2.0.0' })
  const source =
    'kind: agent\nname: worker\ndescription: Works\ninstructions: Work.\ntools: [bash]\npackages: ["npm:greeter@1"]\n'
  await owner.call(routes.agents.create, { body: { source } })
  const command = `node -p 'require("greeter")'`
  chat.answer([{ calls: [{ name: 'bash', arguments: { command } }] }, { text: 'Done.' }])
  const { id } = await owner.call(routes.threads.create, { body: { agent: 'worker' } })
  const turn = await owner.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text: 'Go' } })
  const get = () => owner.call(routes.threads.getTurn, { params: { id: turn.id } })
  await expect.poll(async () => (await get()).status, { timeout: 60_000, interval: 100 }).toBe('done')
  const runId = (await get()).steps.flatMap(({ calls }) => calls).find((call) => call.runId)?.runId
  const run = await owner.call(routes.runs.get, { params: { id: runId ?? '' } })
  expect(JSON.stringify(run.output)).toContain('greeter@1.0.0')
  const { sandboxId } = await owner.call(routes.threads.get, { params: { id } })
  const sandbox = await owner.call(routes.sandboxes.get, { params: { id: sandboxId ?? '' } })
  expect(sandbox.packages).toMatchObject([{ language: 'javascript', requirements: ['greeter@1'] }])
})

test('packages of an agent that are no texts are told by line', async () => {
  const source = 'kind: agent\nname: odd\ndescription: Works\ninstructions: Work.\npackages: [1]\n'
  const { valid, problems } = await owner.call(routes.agents.validate, { body: { source } })
  expect([valid, problems]).toMatchObject([false, [{ path: 'packages.0', line: 5 }]])
})
