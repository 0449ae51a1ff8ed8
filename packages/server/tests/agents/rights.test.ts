import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes, type Client, type Scope, type Turn } from '@coherex/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import type { ChatReply } from '../harness/outside/chat-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

const gate = await startGate()
const { chat, server, owner } = await startAgentServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${gate.port}` })
afterAll(() => gate.stop())

beforeAll(async () => {
  const network = `network: { allow: ["http://127.0.0.1:${gate.port}/"] }`
  await define('writer', `tools: [files, fetch, bash, code-mode, sleep]\n${network}`)
  await define('asker', 'tools: ["agent:writer"]')
  await define('fired', 'tools: [files]\ntriggers: [{ webhook: {} }]')
  await define('builder-like', 'tools: [files, definitions, propose-skill]')
})
beforeEach(() => (gate.onVisit = async () => undefined))

/** A place outside of the product: a visit there is the moment in which someone loses a right. */
async function startGate() {
  const here = { port: 0, onVisit: async (): Promise<unknown> => undefined, stop: () => void http.close() }
  const http = createServer((_request, response) => {
    void here.onVisit().then(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('visited'))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  here.port = (http.address() as AddressInfo).port
  return here
}

async function define(name: string, rest: string): Promise<void> {
  const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\n${rest}\n`
  expect((await owner.call(routes.agents.create, { body: { source } })).status).toBe('active')
}

async function makeKey(scopes: Scope[], who: TestPerson = owner): Promise<{ id: string; call: Client }> {
  const { id, key } = await who.call(routes.keys.create, { body: { name: 'Test', scopes } })
  return { id, call: server.withKey(key) }
}

const makeWorkspace = async () => (await owner.call(routes.workspaces.create, { body: { name: 'Desk' } })).id

async function filesOf(id: string): Promise<string[]> {
  return (await owner.call(routes.workspaces.listFiles, { params: { id } })).items.map(({ path }) => path).sort()
}

const write = (path: string): ChatReply => ({ calls: [{ name: 'write_file', arguments: { path, content: path } }] })

async function begin(call: Client, agent: string, workspaceId: string): Promise<string> {
  const { id } = await call(routes.threads.create, { body: { agent, workspaceId, title: 'Rights', reach: 'team' } })
  const turn = { params: { id }, query: { wait: 'false' as const }, body: { text: 'Go' } }
  return (await call(routes.threads.turn, turn)).id
}

async function ended(turnId: string): Promise<Turn> {
  const get = () => owner.call(routes.threads.getTurn, { params: { id: turnId } })
  await expect.poll(async () => (await get()).endedAt, { timeout: 30_000, interval: 50 }).not.toBeNull()
  return get()
}

/** What the tools of the last request told the model. */
function told(): string {
  const messages = chat.requests.at(-1)?.messages ?? []
  return messages.flatMap(({ role, content }) => (role === 'tool' ? String(content) : [])).join('\n')
}

interface Loss {
  call: Client
  lose(): Promise<unknown>
  reason: string
}

const losses: Record<string, () => Promise<Loss>> = {
  'is removed from the team': async () => {
    const { call, me } = await server.invite(owner, 'editor')
    const { id: personId, name } = me.person
    const lose = () => owner.call(routes.teams.removeMember, { params: { personId } })
    return { call, lose, reason: `${name} is no longer a member of this team` }
  },
  'becomes a viewer': async () => {
    const { call, me } = await server.invite(owner, 'editor')
    const { id: personId, name } = me.person
    const lose = () => owner.call(routes.teams.changeRole, { params: { personId }, body: { role: 'viewer' } })
    return { call, lose, reason: `${name} is a viewer now, and this takes the role "editor"` }
  },
  'has their key revoked': async () => {
    const { id, call } = await makeKey(['run', 'write'])
    const lose = () => owner.call(routes.keys.revoke, { params: { id } })
    return { call, lose, reason: 'the API key it was begun with was revoked' }
  },
}

describe.each(Object.entries(losses))('a turn whose person %s', (_title, prepare) => {
  it('makes no further call and asks the model no more', async () => {
    const { call, lose, reason } = await prepare()
    const workspaceId = await makeWorkspace()
    chat.requests.length = 0
    chat.answer(async (_request, step) => {
      if (step === 2) await lose()
      return write(`${step}.txt`)
    })
    const { ending, status } = await ended(await begin(call, 'writer', workspaceId))
    expect({ ending, status }).toEqual({
      ending: { kind: 'rights', message: `It could not go on: ${reason}` },
      status: 'failed',
    })
    expect(await filesOf(workspaceId)).toEqual(['1.txt'])
    expect(chat.requests.length).toBe(2)
  })

  it('stops a program between two calls of its own', async () => {
    const { call, lose, reason } = await prepare()
    const workspaceId = await makeWorkspace()
    gate.onVisit = lose
    const code = `export default async ({ TOOLS: T }) => {
      await T.write_file({ path: 'before.txt', content: 'x' })
      await T.fetch_url({ url: 'http://127.0.0.1:${gate.port}/' })
      await T.write_file({ path: 'after.txt', content: 'x' })
    }`
    chat.answer([{ calls: [{ name: 'run_program', arguments: { code } }] }, { text: 'Done.' }])
    const { ending } = await ended(await begin(call, 'writer', workspaceId))
    expect(ending).toEqual({ kind: 'rights', message: `It could not go on: ${reason}` })
    expect(await filesOf(workspaceId)).toEqual(['before.txt'])
  })

  it('ends together with the agent that it asked', async () => {
    const { call, lose, reason } = await prepare()
    const workspaceId = await makeWorkspace()
    chat.requests.length = 0
    chat.answer(async (_request, step) => {
      if (step === 1) return { calls: [{ name: 'ask_writer', arguments: { question: 'Write' } }] }
      if (step === 3) await lose()
      return write(`${step}.txt`)
    })
    const { ending } = await ended(await begin(call, 'asker', workspaceId))
    expect(ending).toEqual({ kind: 'rights', message: `It could not go on: ${reason}` })
    expect(chat.requests.length).toBe(3)
  })

  it('does not go on when it wakes', async () => {
    const { call, lose, reason } = await prepare()
    const workspaceId = await makeWorkspace()
    chat.answer([{ calls: [{ name: 'sleep', arguments: { for: '4s' } }] }, write('awake.txt'), { text: 'Done.' }])
    const turnId = await begin(call, 'writer', workspaceId)
    const get = () => owner.call(routes.threads.getTurn, { params: { id: turnId } })
    await expect.poll(async () => (await get()).status, { timeout: 15_000, interval: 50 }).toBe('sleeping')
    await lose()
    expect((await ended(turnId)).ending).toEqual({ kind: 'rights', message: `It could not go on: ${reason}` })
    expect(await filesOf(workspaceId)).toEqual([])
  })

  it('leaves a cell that waited behind another one undone', async () => {
    const { call, lose, reason } = await prepare()
    const { id: sandboxId } = await call(routes.sandboxes.create, { body: { language: 'bash' } })
    const start = (code: string) =>
      call(routes.runs.create, { query: { wait: 'false' }, body: { language: 'bash', code, sandboxId } })
    const get = (id: string) => owner.call(routes.runs.get, { params: { id } })
    const first = await start('for i in $(seq 100); do [ -e go ] && break; sleep 0.1; done')
    const second = await start('echo done > done.txt')
    await expect.poll(async () => (await get(first.id)).status, { timeout: 30_000 }).toBe('running')
    await lose()
    await owner.call(routes.sandboxes.writeFile, { params: { id: sandboxId, path: 'go' }, body: 'x' })
    await expect.poll(async () => (await get(second.id)).endedAt, { timeout: 30_000 }).not.toBeNull()
    expect(await get(second.id)).toMatchObject({
      status: 'failed',
      error: { kind: 'denied', message: `The run was not begun: ${reason}` },
    })
    await owner.call(routes.sandboxes.remove, { params: { id: sandboxId } })
  })
})

describe('a turn that a key of scope "run" began', () => {
  const refusal = (tool: string) => `${tool} takes the scope "write": the API key that began this turn has "run"`

  it('reads the workspace, and is refused each tool that changes it', async () => {
    const { call } = await makeKey(['run'])
    const workspaceId = await makeWorkspace()
    await owner.call(routes.workspaces.writeFile, { params: { id: workspaceId, path: 'a.txt' }, body: 'mine' })
    const calls = [
      { name: 'read_file', arguments: { path: 'a.txt' } },
      { name: 'write_file', arguments: { path: 'b.txt', content: 'x' } },
      { name: 'edit_file', arguments: { path: 'a.txt', search: 'mine', replace: 'yours' } },
      { name: 'move_file', arguments: { from: 'a.txt', to: 'c.txt' } },
      { name: 'delete_file', arguments: { path: 'a.txt' } },
      { name: 'workspace_shell', arguments: { command: 'echo x > d.txt' } },
    ]
    chat.answer([{ calls }, { text: 'Done.' }])
    expect((await ended(await begin(call, 'writer', workspaceId))).ending?.kind).toBe('answered')
    expect(told()).toContain('mine')
    for (const { name } of calls.slice(1)) expect(told()).toContain(refusal(name))
    expect(await filesOf(workspaceId)).toEqual(['a.txt'])
    expect(await (await owner.fetch(`/api/v1/workspaces/${workspaceId}/files/a.txt`)).text()).toBe('mine')
  })

  it('is refused writing inside a program, too', async () => {
    const { call } = await makeKey(['run'])
    const workspaceId = await makeWorkspace()
    const code = `export default ({ TOOLS: T }) => T.write_file({ path: 'a.txt', content: 'x' }).catch((error) => error.message)`
    chat.answer([{ calls: [{ name: 'run_program', arguments: { code } }] }, { text: 'Done.' }])
    await ended(await begin(call, 'writer', workspaceId))
    expect(told()).toContain('write_file takes the scope')
    expect(await filesOf(workspaceId)).toEqual([])
  })

  it('is refused writing through an agent that it asks', async () => {
    const { call } = await makeKey(['run'])
    const workspaceId = await makeWorkspace()
    chat.requests.length = 0
    const ask = { calls: [{ name: 'ask_writer', arguments: { question: 'Write' } }] }
    chat.answer([ask, write('a.txt'), { text: 'It was refused.' }])
    await ended(await begin(call, 'asker', workspaceId))
    expect(JSON.stringify(chat.requests[2]?.messages)).toContain('write_file takes the scope')
  })

  it('stores no definition and no skill', async () => {
    const { call } = await makeKey(['run'])
    const source = 'kind: agent\nname: sneaky\ndescription: Works\ninstructions: Work.\n'
    const files = [{ path: 'SKILL.md', content: '---\nname: sneaky\ndescription: x\n---\nx' }]
    const calls = [
      { name: 'save_agent', arguments: { source } },
      { name: 'propose_skill', arguments: { name: 'sneaky', files } },
    ]
    chat.answer([{ calls }, { text: 'Done.' }])
    await ended(await begin(call, 'builder-like', await makeWorkspace()))
    for (const { name } of calls) expect(told()).toContain(refusal(name))
    expect((await owner.fetch('/api/v1/agents/sneaky')).status).toBe(404)
    expect((await owner.fetch('/api/v1/skills/sneaky')).status).toBe(404)
  })

  it('is refused writing through a trigger that the key fires by hand', async () => {
    const { call } = await makeKey(['run'])
    const [trigger] = (await owner.call(routes.triggers.list, { params: { name: 'fired' } })).items
    chat.answer([write('a.txt'), { text: 'Done.' }])
    const params = { name: 'fired', id: trigger?.id ?? '' }
    const { id } = await call(routes.triggers.test, { params, body: { payload: '{}' } })
    const get = () => owner.call(routes.triggers.delivery, { params: { id } })
    await expect.poll(async () => (await get()).turnStatus, { timeout: 30_000 }).toBe('done')
    expect(told()).toContain(refusal('write_file'))
  })

  it('begins nothing that outlives a revoked key: a trigger fired by hand acts for whoever fired it', async () => {
    const { id: keyId, call } = await makeKey(['run', 'write'])
    const [trigger] = (await owner.call(routes.triggers.list, { params: { name: 'fired' } })).items
    chat.requests.length = 0
    chat.answer(async () => {
      await owner.call(routes.keys.revoke, { params: { id: keyId } })
      return write('a.txt')
    })
    const params = { name: 'fired', id: trigger?.id ?? '' }
    const { id } = await call(routes.triggers.test, { params, body: { payload: '{}' } })
    const get = () => owner.call(routes.triggers.delivery, { params: { id } })
    await expect.poll(async () => (await get()).turnStatus, { timeout: 30_000 }).toBe('failed')
    expect(chat.requests.length).toBe(1)
  })
})
