import { once } from 'node:events'
import { routes, type AgentProposal } from '@coherex/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startAgentServer } from '../harness/agent-server.ts'
import type { ChatReply } from '../harness/outside/chat-server.ts'

const { chat, server, owner } = await startAgentServer()
const editor = await server.invite(owner, 'editor')
const viewer = await server.invite(owner, 'viewer')

const source = (name: string, rest: string) =>
  `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\n${rest}\n`
const guarded = 'tools: [files, fetch]\napprovals: { files: always, fetch: always }\nlimits: { steps: 5 }'
const meddler = 'tools: [definitions, code-mode]'

beforeAll(async () => {
  await define('guarded', guarded)
  await define('meddler', meddler)
  await define('boss', 'tools: [agent:meddler]')
})

async function define(name: string, rest: string): Promise<void> {
  const made = await owner.call(routes.agents.create, { body: { source: source(name, rest) } })
  expect(made.status).toBe('active')
}

const get = (name: string) => owner.call(routes.agents.get, { params: { name } })
const proposalsOf = async (name: string) => (await viewer.call(routes.agents.proposals, { params: { name } })).items
const decide = (who: Pick<typeof owner, 'call'>, name: string, { version, digest }: AgentProposal, accepts = true) =>
  who.call(routes.agents.decide, {
    params: { name, version },
    body: { decision: accepts ? 'approve' : 'reject', digest, note: 'seen' },
  })
const audited = async (action: string) =>
  (await owner.call(routes.audit.list, { query: { action } })).items.map(({ actor, target, details }) => ({
    actor: [actor.kind, actor.name],
    target: target?.name,
    details,
  }))

/** Has an agent save a definition, as a call of its own. */
const directly = (text: string): ChatReply => ({ calls: [{ name: 'save_agent', arguments: { source: text } }] })
/** The same from a program. */
const byProgram = (text: string): ChatReply => {
  const code = `export default ({ TOOLS }) => TOOLS.save_agent(${JSON.stringify({ source: text })})`
  return { calls: [{ name: 'run_program', arguments: { code } }] }
}

async function work(agent: string, replies: ChatReply[]) {
  chat.answer([...replies, { text: 'Done.' }])
  const turn = await owner.call(routes.triggers.execute, { params: { name: agent }, body: { input: 'Go' } })
  const last = chat.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
  return { turn, told: last.map(({ content }) => String(content)) }
}

describe('[definitions.4] save_agent', () => {
  const attacks: [string, string, string, string[]][] = [
    [
      'takes approvals off another agent',
      'guarded',
      'tools: [files, fetch]\nlimits: { steps: 5 }',
      [
        'It uses files without asking a person (until now after a person approved each call).',
        'It uses fetch without asking a person (until now after a person approved each call).',
      ],
    ],
    [
      'gives another agent a network',
      'guarded',
      `${guarded}\nnetwork: { allow: ["https://evil.example/"] }`,
      ['It may reach https://evil.example/'],
    ],
    [
      'widens itself',
      'meddler',
      'tools: [definitions, code-mode, bash, fetch]\nnetwork: { allow: ["https://evil.example/"] }',
      [
        'It may run commands in its sandbox.',
        'It may fetch from the addresses of its network.',
        'It may reach https://evil.example/',
      ],
    ],
  ]

  for (const [way, call] of [
    ['a call', directly],
    ['a program', byProgram],
  ] as const) {
    it.each(attacks)(`stores a proposal when ${way} %s`, async (_, name, rest, newly) => {
      const before = await get(name)
      const text = source(name, `${rest}\n# by ${way}`)
      const { told, turn } = await work('meddler', [call(text)])
      expect(told.join()).toContain('is proposed')
      const after = await get(name)
      expect(after).toEqual({
        ...before,
        newestVersion: before.newestVersion + 1,
        proposals: before.proposals + 1,
        use: after.use,
      })
      const [proposal] = await proposalsOf(name)
      expect(proposal).toMatchObject({
        ...{ version: after.newestVersion, state: 'proposed', agent: 'meddler', turnId: turn.id, source: text, newly },
        createdBy: { id: owner.me.person.id },
        diff: expect.stringContaining(`+# by ${way}`),
      })
      expect((await audited('agent.propose'))[0]).toEqual({
        actor: ['agent', 'meddler'],
        target: name,
        details: {
          version: after.newestVersion,
          turnId: turn.id,
          threadId: turn.threadId,
          for: owner.me.person.name,
        },
      })
    })
  }

  it('publishes the event agent for a draft and for a proposal', async () => {
    await define('heard', '')
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers: viewer.socketHeaders() })
    const heard: { type: string; id: string | null }[] = []
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as (typeof heard)[number]))
    await once(socket, 'open')
    await work('meddler', [directly(source('heard', 'tools: [bash]')), directly(source('heard-new', ''))])
    const agents = () => heard.filter(({ type }) => type === 'agent').map(({ id }) => id)
    await expect.poll(agents).toEqual(['heard', 'heard-new'])
    socket.close()
  })

  it('leaves the built-in coder in use when an asked agent replaces it', async () => {
    const builtIn = await get('coder')
    const taken = source('coder', 'tools: [bash, fetch]\nnetwork: { allow: ["https://evil.example/"] }')
    chat.answer(({ messages, tools }) => {
      const isAsked = tools.some((tool) => tool.function.name === 'save_agent')
      if (messages.at(-1)?.role === 'tool') return { text: String(messages.at(-1)?.content) }
      return isAsked ? directly(taken) : { calls: [{ name: 'ask_meddler', arguments: { question: 'Take it' } }] }
    })
    await owner.call(routes.triggers.execute, { params: { name: 'boss' }, body: { input: 'Go' } })
    const after = await get('coder')
    expect(after).toEqual({ ...builtIn, newestVersion: 1, proposals: 1, use: after.use })
    const listed = await owner.call(routes.agents.list, {})
    expect(listed.items.find(({ name }) => name === 'coder')).toMatchObject({ isBuiltIn: true, proposals: 1 })

    const { prompt } = await promptOf('coder')
    expect(prompt).not.toContain('Work.')
    const models = await (await owner.fetch('/v1/models')).text()
    expect(models).toContain('coder')

    // the team can still store its own, and delete it again
    await expect(owner.call(routes.agents.remove, { params: { name: 'coder' } })).rejects.toMatchObject({
      code: 'not_found',
    })
    const own = await owner.call(routes.agents.create, { body: { source: source('coder', 'tools: [files]') } })
    expect(own).toMatchObject({ version: 2, isBuiltIn: false, status: 'active', proposals: 1 })
    await owner.call(routes.agents.remove, { params: { name: 'coder' } })
    expect(await get('coder')).toMatchObject({ isBuiltIn: true, version: 0, proposals: 0 })
  })

  async function promptOf(agent: string) {
    const before = chat.requests.length
    await work(agent, [])
    return { prompt: String(chat.requests[before]?.messages[0]?.content) }
  }

  it.each(['draft', 'paused', 'archived'] as const)(
    'stores a proposal for an agent that is %s and was active',
    async (status) => {
      const name = `was-${status}`
      await define(name, 'tools: [files]')
      await owner.call(routes.agents.change, { params: { name }, body: { status } })
      await work('meddler', [directly(source(name, 'tools: [bash]'))])
      expect(await get(name)).toMatchObject({ status, version: 1, proposals: 1, definition: { tools: ['files'] } })
    },
  )

  it('adds no trigger before a person accepts it; the trigger acts for that person', async () => {
    await define('planted', '')
    await work('meddler', [directly(source('planted', 'triggers: [{ schedule: "0 0 1 1 *" }]'))])
    const triggers = async () =>
      (await owner.call(routes.triggers.list, { params: { name: 'planted' } })).items.map(({ actsFor }) => actsFor.id)
    expect(await triggers()).toEqual([])
    const [proposal] = await proposalsOf('planted')
    await decide(editor, 'planted', proposal as AgentProposal)
    expect(await triggers()).toEqual([editor.me.person.id])
  })

  it('refuses the same proposal twice and the eleventh one, and the diff shows hidden characters', async () => {
    await define('crowded', '')
    const many = Array.from({ length: 12 }, (_, index) => directly(source('crowded', `# \u202Ehidden ${index}`)))
    const { told } = await work('meddler', [many[0] as ChatReply, ...many])
    expect(told[1]).toContain('is proposed as version 2 of "crowded" already')
    expect(told.at(-1)).toContain('wait for a person')
    const proposals = await proposalsOf('crowded')
    expect(proposals).toHaveLength(10)
    expect(proposals[0]?.diff).toContain('+# <U+202E>hidden 9')
    const same = await work('meddler', [directly(source('crowded', ''))])
    expect(same.told[0]).toContain('has this very definition already')
  })
})

describe('[definitions.5] decide', () => {
  it('accepts a proposal from a signed-in editor with its digest, and refuses a viewer, a key and a restore', async () => {
    await define('target', guarded)
    const wider = source('target', 'tools: [files, bash]')
    const { turn } = await work('meddler', [directly(wider), directly(source('target', 'tools: [files]'))])
    const [other, proposal] = (await proposalsOf('target')) as [AgentProposal, AgentProposal]
    const before = await get('target')

    await expect(decide(viewer, 'target', proposal)).rejects.toMatchObject({ code: 'forbidden' })
    const { key } = await owner.call(routes.keys.create, { body: { name: 'all', scopes: ['admin'] } })
    const byKey = { call: server.withKey(key) }
    await expect(decide(byKey, 'target', proposal)).rejects.toMatchObject({ code: 'forbidden' })
    const stale = decide(editor, 'target', { ...proposal, digest: '0'.repeat(64) })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
    for (const who of [owner, byKey]) {
      const restored = who.call(routes.agents.rollback, { params: { name: 'target', version: proposal.version } })
      await expect(restored).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(await get('target')).toEqual(before)

    const accepted = await decide(editor, 'target', proposal)
    expect(accepted).toMatchObject({ version: proposal.version, source: wider, status: 'active', proposals: 1 })
    expect((await audited('agent.approve'))[0]).toMatchObject({
      actor: ['person', editor.me.person.name],
      target: 'target',
      details: { version: proposal.version, agent: 'meddler', turnId: turn.id, for: owner.me.person.name },
    })
    await expect(decide(editor, 'target', proposal)).rejects.toMatchObject({ code: 'conflict' })
    // what was compared with the version before must be looked at again
    await expect(decide(editor, 'target', other)).rejects.toMatchObject({ code: 'conflict' })
    const [again] = (await proposalsOf('target')) as [AgentProposal]
    const kept = await decide(editor, 'target', again, false)
    expect(kept).toMatchObject({ version: proposal.version, proposals: 0 })
    const { items } = await owner.call(routes.agents.versions, { params: { name: 'target' } })
    expect(items.map(({ version, state, agent, decidedBy }) => [version, state, agent, decidedBy?.id ?? null])).toEqual(
      [
        [3, 'rejected', 'meddler', editor.me.person.id],
        [2, 'approved', 'meddler', editor.me.person.id],
        [1, 'approved', null, null],
      ],
    )
  })

  it('makes an accepted proposal for coder the team’s own agent', async () => {
    await work('meddler', [directly(source('coder', 'tools: [files]'))])
    const [proposal] = (await proposalsOf('coder')) as [AgentProposal]
    expect(proposal.newly).toContain('It follows other instructions.')
    const own = await decide(editor, 'coder', proposal)
    expect(own).toMatchObject({ isBuiltIn: false, version: 1, status: 'active', definition: { tools: ['files'] } })
  })

  it('[definitions.2] leaves a turn that waits with the built-in agent it began with', async () => {
    await owner.call(routes.approvals.setRules, { body: { rules: { definitions: 'always' } } })
    try {
      chat.answer([directly(source('by-builder', '')), { text: 'Done.' }])
      const { id } = await owner.call(routes.triggers.execute, {
        params: { name: 'builder' },
        query: { wait: 'false' },
        body: { input: 'Go' },
      })
      const status = async () => (await owner.call(routes.threads.getTurn, { params: { id } })).status
      await expect.poll(status, { timeout: 20_000 }).toBe('waiting')
      await define('builder', 'tools: []')
      const { items } = await owner.call(routes.approvals.list, { query: { status: 'pending' } })
      const asked = items.find(({ turnId }) => turnId === id)
      await owner.call(routes.approvals.decide, { params: { id: asked?.id ?? '' }, body: { decision: 'approve' } })
      await expect.poll(status, { timeout: 20_000 }).toBe('done')
      expect((await get('by-builder')).status).toBe('draft')
    } finally {
      await owner.call(routes.approvals.setRules, { body: { rules: {} } })
    }
  })

  it('[definitions.3] refuses a proposal with needs for an active agent', async () => {
    await define('lacking', '')
    await work('meddler', [directly(source('lacking', 'tools: [agent:nobody]'))])
    const [proposal] = (await proposalsOf('lacking')) as [AgentProposal]
    await expect(decide(editor, 'lacking', proposal)).rejects.toMatchObject({ code: 'conflict' })
    expect(await get('lacking')).toMatchObject({ version: 1, proposals: 1 })
  })

  it('[approvals.1] loosens no team rule, neither by an accepted proposal nor by an imported definition', async () => {
    await owner.call(routes.approvals.setRules, { body: { rules: { files: 'when-writing' } } })
    try {
      await define('ruled', 'tools: [files]\napprovals: { files: always }')
      const lax = (name: string) => source(name, 'tools: [files]\napprovals: { files: never }')
      await work('meddler', [directly(lax('ruled'))])
      const [proposal] = (await proposalsOf('ruled')) as [AgentProposal]
      await decide(editor, 'ruled', proposal)
      const headers = { 'content-type': 'application/yaml' }
      await editor.fetch('/api/v1/agents', { method: 'POST', headers, body: lax('imported') })
      for (const agent of ['ruled', 'imported']) {
        const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: agent } })
        const write = { name: 'write_file', arguments: { path: 'a.txt', content: 'x' } }
        chat.answer([{ calls: [write] }, { text: 'Done.' }])
        const body = { input: 'Go', workspaceId }
        const { id } = await owner.call(routes.triggers.execute, {
          params: { name: agent },
          query: { wait: 'false' },
          body,
        })
        const status = async () => (await owner.call(routes.threads.getTurn, { params: { id } })).status
        await expect.poll(status, { timeout: 20_000 }).toBe('waiting')
        const { items } = await owner.call(routes.workspaces.listFiles, { params: { id: workspaceId } })
        expect(items).toEqual([])
      }
    } finally {
      await owner.call(routes.approvals.setRules, { body: { rules: {} } })
    }
  })
})

describe('a draft of save_agent', () => {
  const later = source('later', 'tools: [bash]\ntriggers: [{ schedule: "0 0 1 1 *" }]')

  it('takes new versions while it never was active, and no door runs it', async () => {
    const { told } = await work('meddler', [directly(source('later', '')), directly(later)])
    expect(told[0]).toContain('"later" is saved as version 1, a draft')
    expect(await get('later')).toMatchObject({ status: 'draft', version: 2, proposals: 0, source: later })
    expect((await audited('agent.change'))[0]).toMatchObject({
      actor: ['agent', 'meddler'],
      target: 'later',
      details: { version: 2, for: owner.me.person.name },
    })
    await expect(work('later', [])).rejects.toMatchObject({ code: 'conflict' })
    await define('asker', 'tools: [agent:later]')
    const asked = await work('asker', [{ calls: [{ name: 'ask_later', arguments: { question: 'Go' } }] }])
    expect(asked.told[0]).toContain('is draft')
    const body = JSON.stringify({ model: 'later', messages: [{ role: 'user', content: 'Go' }] })
    const headers = { 'content-type': 'application/json' }
    expect((await owner.fetch('/v1/chat/completions', { method: 'POST', headers, body })).ok).toBe(false)
  })

  it('is activated by a signed-in person at the version they saw, and its triggers act for them', async () => {
    const params = { name: 'later' }
    const { key } = await owner.call(routes.keys.create, { body: { name: 'writes', scopes: ['write'] } })
    const byKey = server.withKey(key)(routes.agents.change, { params, body: { status: 'active' } })
    await expect(byKey).rejects.toMatchObject({ code: 'forbidden' })
    const late = editor.call(routes.agents.change, { params, body: { status: 'active', expectedVersion: 1 } })
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    await editor.call(routes.agents.change, { params, body: { status: 'active', expectedVersion: 2 } })
    expect((await audited('agent.status'))[0]).toMatchObject({
      actor: ['person', editor.me.person.name],
      details: { to: 'active', version: 2, agent: 'meddler' },
    })
    const { items } = await owner.call(routes.triggers.list, { params })
    expect(items[0]?.actsFor?.id).toBe(editor.me.person.id)
    await work('meddler', [directly(source('later', 'tools: [bash, fetch]'))])
    expect(await get('later')).toMatchObject({ version: 2, proposals: 1, source: later })
  })
})
