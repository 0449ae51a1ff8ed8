import { createHmac, randomUUID } from 'node:crypto'
import { routes, type Run } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

interface Made {
  triggers: string
  code?: string
  input?: string
}

async function publish(
  name: string,
  { triggers, code = 'export default (env, input) => input', input = 'true' }: Made,
) {
  const yaml = `kind: tool\nname: ${name}\ndescription: A tool\nlanguage: javascript\nlicence: MIT\ninput: ${input}\noutput: true\ntriggers: ${triggers}\ntests: [{ name: runs, input: { value: 1 }, check: 'true' }]\n`
  await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.js': code } } })
  return owner.call(routes.tools.publishVersion, { params: { name }, body: {} })
}
const triggersOf = async (name: string) => (await owner.call(routes.triggers.ofTool, { params: { name } })).items
const deliveriesOf = async (tool: string) =>
  (await owner.call(routes.triggers.allDeliveries, { query: { tool } })).items
/** The newest delivery of a tool once it has begun, with its run at the end. */
async function endOf(tool: string, after = 0): Promise<Run> {
  const begun = async () => (await deliveriesOf(tool))[0]
  await expect.poll(async () => (await deliveriesOf(tool)).length, { timeout: 80_000 }).toBeGreaterThan(after)
  await expect.poll(async () => (await begun())?.status).toBe('started')
  const id = (await begun())?.runId ?? ''
  const run = () => owner.call(routes.runs.get, { params: { id } })
  await expect.poll(async () => (await run()).status).not.toBe('running')
  return run()
}

function post(url: string, secret: string, body: string) {
  const id = randomUUID()
  const seconds = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice(6), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return fetch(url, {
    ...{ method: 'POST', body },
    headers: {
      'content-type': 'application/json',
      ...{ 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` },
    },
  })
}

test('a webhook calls the published version of a tool with what was sent', async () => {
  const name = 'hooked'
  await publish(name, { triggers: '[{ webhook: {} }]' })
  const [trigger] = await triggersOf(name)
  expect(trigger).toMatchObject({ tool: name, agent: null, status: 'unsigned', actsFor: { name: 'Olga Owner' } })
  const params = { name, id: trigger?.id ?? '' }
  const url = trigger?.webhook?.url ?? ''
  const { secret } = await owner.call(routes.triggers.makeSecretOfTool, { params, body: {} })
  expect((await post(url, `whsec_${Buffer.alloc(32).toString('base64')}`, '{}')).status).toBe(401)
  expect((await post(url, secret, '{"value":7}')).status).toBe(202)
  expect(await endOf(name)).toMatchObject({
    ...{ status: 'succeeded', result: { value: 7 }, tool: { name, version: 1 } },
    startedBy: { kind: 'webhook', id: params.id, name: 'webhook-1' },
  })
  const { callers } = await owner.call(routes.tools.usage, { params: { name }, query: {} })
  expect(callers).toMatchObject([{ kind: 'webhook', name: 'webhook-1', calls: 1 }])
  const { items } = await owner.call(routes.tools.usedBy, { params: { name } })
  expect(items).toEqual([{ kind: 'trigger', name: 'webhook-1', version: 1, pins: null }])
  const { items: lines } = await owner.call(routes.audit.list, { query: { limit: 20 } })
  expect(lines.find(({ action }) => action === 'trigger.secret-create')?.target).toMatchObject({ id: params.id })

  // a later version keeps the address, and is the one that is called
  await publish(name, { triggers: '[{ webhook: {} }]', code: 'export default () => "second"' })
  expect((await post(url, secret, '{}')).status).toBe(202)
  expect(await endOf(name, 1)).toMatchObject({ result: 'second', tool: { version: 2 } })
  await owner.call(routes.tools.change, { params: { name }, body: { status: 'unpublished' } })
  expect((await post(url, secret, '{}')).status).toBe(404)
  expect((await triggersOf(name))[0]).toMatchObject({ status: 'paused', reason: 'The tool is unpublished' })
  await owner.call(routes.tools.remove, { params: { name } })
})

test('a trigger says the input itself; one that does not fit is why its delivery failed', async () => {
  const input = '{ type: object, required: [value], properties: { value: { type: number } } }'
  await publish('told', {
    input,
    triggers: '[{ schedule: "0 0 1 1 *", input: { value: 3 } }, { webhook: {}, name: raw }]',
  })
  const [raw, schedule] = await triggersOf('told')
  expect(schedule).toMatchObject({ kind: 'schedule', status: 'active', input: '{"value":3}' })
  expect(schedule?.schedule?.next).toHaveLength(5)
  const at = { name: 'told', id: schedule?.id ?? '' }
  await owner.call(routes.triggers.testOfTool, { params: at, body: {} })
  expect(await endOf('told')).toMatchObject({ result: { value: 3 } })
  const params = { name: 'told', id: raw?.id ?? '' }
  const { secret } = await owner.call(routes.triggers.makeSecretOfTool, { params, body: {} })
  await post(raw?.webhook?.url ?? '', secret, '{"value":"x"}')
  await expect
    .poll(async () => (await deliveriesOf('told'))[0])
    .toMatchObject({ status: 'failed', reason: expect.stringContaining('value must be number'), runId: null })
  const { items } = await owner.call(routes.inbox.list, { query: { kinds: 'failed-trigger' } })
  expect(items[0]).toMatchObject({ title: 'Trigger raw did not start told', where: { tool: 'told' } })
})

test('a schedule calls a tool when its time has come, and an event when it happens', async () => {
  await publish('timed', { triggers: '[{ schedule: "* * * * *" }]' })
  await publish('watcher', { triggers: '[{ event: run-failed }]' })
  const failed = await owner.call(routes.runs.create, {
    body: { language: 'javascript', code: 'throw new Error("no")' },
  })
  expect(await endOf('watcher')).toMatchObject({ result: { event: 'run-failed', runId: failed.id } })
  expect(await endOf('timed')).toMatchObject({ result: { schedule: '* * * * *' }, startedBy: { kind: 'schedule' } })
}, 120_000)

test('triggers that cannot be are refused: another clock, a private tool, nobody to act for', async () => {
  await expect(publish('wrong', { triggers: '[{ schedule: "99 * * * *" }]' })).rejects.toThrow(
    'is not a cron expression',
  )
  await publish('common', { triggers: '[{ webhook: {} }]' })
  const hide = () => owner.call(routes.tools.change, { params: { name: 'common' }, body: { reach: 'private' } })
  await expect(hide()).rejects.toThrow('what its triggers are sent is the team’s')
  await publish('common', { triggers: '[]' })
  expect(await hide()).toMatchObject({ reach: 'private' })
  await expect(publish('common', { triggers: '[{ webhook: {}, name: again }]' })).rejects.toThrow(
    'its triggers are sent',
  )
})
