import { once } from 'node:events'
import { routes } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startAgentServer } from '../harness/agent-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()
const editor = await server.invite(owner, 'editor')
const other = await server.invite(owner, 'editor')

const agentSource = (name: string, rest = '') =>
  `kind: agent\nname: ${name}\ndescription: Works\ninstructions: SECRET WORDS of ${name}.\n${rest}\n`
const skillFiles = (name: string) => ({ 'SKILL.md': `---\nname: ${name}\ndescription: Counts\n---\nSECRET WORDS\n` })

/** The events that somebody hears, from here on. */
async function listen(who: TestPerson) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers: who.socketHeaders() })
  const heard: { type: string; id: string | null }[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as (typeof heard)[number]))
  await once(socket, 'open')
  return { heard, close: () => socket.close() }
}

describe('a private agent', () => {
  const name = 'mine'
  const params = { name }
  const change = (by: TestPerson, body: { reach: 'private' | 'team' } | { owner: string }) =>
    by.call(routes.agents.change, { params, body })

  it('is seen, used and changed by its owner alone, admins included', async () => {
    expect(await editor.call(routes.agents.create, { body: { source: agentSource(name) } })).toMatchObject({
      owner: { id: editor.me.person.id },
      reach: 'team',
    })
    await editor.call(routes.variables.putOfAgent, { params: { name, variable: 'TONE' }, body: { value: 'warm' } })
    await expect(change(other, { reach: 'private' })).rejects.toThrow('that is up to editor 1 or an admin')
    await expect(change(owner, { reach: 'private' })).rejects.toThrow('only its owner can')
    expect(await change(editor, { reach: 'private' })).toMatchObject({ reach: 'private' })

    for (const person of [owner, other]) {
      for (const asked of [
        () => person.call(routes.agents.get, { params }),
        () => person.call(routes.agents.versions, { params, query: {} }),
        () => person.call(routes.agents.version, { params: { name, version: 1 } }),
        () => person.call(routes.agents.proposals, { params }),
        () => person.call(routes.agents.put, { params, body: { source: agentSource(name) } }),
        () => person.call(routes.variables.listOfAgent, { params }),
        () => person.call(routes.threads.create, { body: { agent: name } }),
        () => change(person, { reach: 'team' }),
      ])
        await expect(asked()).rejects.toMatchObject({ code: 'not_found' })
      await expect(person.call(routes.agents.create, { body: { source: agentSource(name) } })).rejects.toMatchObject({
        code: 'conflict',
        message: 'The name "mine" is taken: choose another one',
      })
      const { items } = await person.call(routes.agents.list, { query: { search: name } })
      expect(items).toEqual([])
      const found = await person.call(routes.search.find, { query: { q: name } })
      expect(found.items.filter(({ kind }) => kind === 'agent')).toEqual([])
    }
    await expect(owner.call(routes.agents.remove, { params })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('answers its owner', async () => {
    chat.answer([{ text: 'Yours alone.' }])
    const { id } = await editor.call(routes.threads.create, { body: { agent: name, title: 'work' } })
    const answer = await editor.fetch(`/api/v1/threads/${id}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Please' }),
    })
    expect(answer.ok).toBe(true)
    await answer.text()
    await expect.poll(() => JSON.stringify(chat.requests.at(-1))).toContain('SECRET WORDS of mine')
  })

  it('is not there for an agent of the team that names it and works for somebody else', async () => {
    const named = agentSource('asking', `tools: ["agent:${name}"]`)
    await editor.call(routes.agents.create, { body: { source: named } })
    const { id } = await other.call(routes.threads.create, { body: { agent: 'asking', title: 'work' } })
    const asked = chat.requests.length
    const answer = await other.fetch(`/api/v1/threads/${id}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Please' }),
    })
    const ending = { kind: 'interrupted', message: 'It could not go on: There is no agent "mine"' }
    expect(await answer.text()).toContain(JSON.stringify(ending))
    expect(chat.requests.length).toBe(asked)
  })

  it('leaves the lists of others, who hear no name of it', async () => {
    await editor.call(routes.agents.create, { body: { source: agentSource('leaving') } })
    const { heard, close } = await listen(other)
    const at = { params: { name: 'leaving' } }
    await editor.call(routes.agents.change, { ...at, body: { reach: 'private' } })
    await expect.poll(() => heard).toContainEqual({ type: 'agent', id: null })
    await editor.call(routes.agents.put, { ...at, body: { source: agentSource('leaving', 'limits: { steps: 2 }') } })
    await editor.call(routes.agents.remove, at)
    await expect.poll(() => heard.filter(({ type }) => type === 'agent').length).toBe(2)
    close()
    expect(JSON.stringify(heard)).not.toContain('leaving')
  })

  it('has no triggers, and one with triggers is not private', async () => {
    const withTrigger = agentSource(name, 'triggers: [{ webhook: {} }]')
    await expect(editor.call(routes.agents.put, { params, body: { source: withTrigger } })).rejects.toThrow(
      'The agent "mine" is private: what its triggers are sent is the team’s',
    )
    await change(editor, { reach: 'team' })
    await editor.call(routes.agents.put, { params, body: { source: withTrigger } })
    await expect(change(editor, { reach: 'private' })).rejects.toThrow('Cannot make the agent "mine" private')
  })

  it('is handed over once it is shared, and deleted by its owner', async () => {
    const toOther = { owner: other.me.person.id }
    expect(await change(editor, toOther)).toMatchObject({ owner: { id: other.me.person.id } })
    await expect(editor.call(routes.agents.remove, { params })).rejects.toMatchObject({ code: 'forbidden' })
    await other.call(routes.agents.remove, { params })
    await expect(other.call(routes.agents.get, { params })).rejects.toMatchObject({ code: 'not_found' })
    const { items } = await owner.call(routes.audit.list, { query: { search: name } })
    expect(items.map(({ action }) => action)).toEqual(expect.arrayContaining(['agent.owner', 'agent.reach']))
  })

  it('of a built-in name leaves the built-in agent to the others', async () => {
    await editor.call(routes.agents.create, { body: { source: agentSource('coder') } })
    await editor.call(routes.agents.change, { params: { name: 'coder' }, body: { reach: 'private' } })
    const seenBy = async (person: TestPerson) => {
      const { items } = await person.call(routes.agents.list, { query: { search: 'coder' } })
      const one = await person.call(routes.agents.get, { params: { name: 'coder' } })
      return [...items.map(({ isBuiltIn }) => isBuiltIn), one.isBuiltIn]
    }
    expect(await seenBy(editor)).toEqual([false, false])
    expect(await seenBy(other)).toEqual([true, true])
    await expect(
      owner.call(routes.agents.change, { params: { name: 'builder' }, body: { reach: 'private' } }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a private skill', () => {
  const name = 'counting'
  const params = { name }

  it('is seen by its owner alone, and loaded by agents that work for them', async () => {
    await editor.call(routes.skills.put, { params, body: { files: skillFiles(name) } })
    expect(await editor.call(routes.skills.change, { params, body: { reach: 'private' } })).toMatchObject({
      reach: 'private',
      owner: { id: editor.me.person.id },
    })
    for (const person of [owner, other]) {
      for (const asked of [
        () => person.call(routes.skills.get, { params }),
        () => person.call(routes.skills.version, { params: { name, version: 1 } }),
        () => person.call(routes.skills.versions, { params, query: {} }),
        () => person.call(routes.skills.change, { params, body: { archived: true } }),
        () => person.call(routes.skills.remove, { params }),
      ])
        await expect(asked()).rejects.toMatchObject({ code: 'not_found' })
      expect((await person.fetch(`/api/v1/skills/${name}/zip`)).status).toBe(404)
      const { items } = await person.call(routes.skills.list, { query: {} })
      expect(items.map((one) => one.name)).not.toContain(name)
    }

    await owner.call(routes.agents.create, { body: { source: agentSource('reader', 'skills: all') } })
    const promptFor = async (person: TestPerson) => {
      chat.answer([{ text: 'Done.' }])
      const { id } = await person.call(routes.threads.create, { body: { agent: 'reader', title: 'work' } })
      const before = chat.requests.length
      const answer = await person.fetch(`/api/v1/threads/${id}/turns`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Please' }),
      })
      await answer.text()
      await expect.poll(() => chat.requests.length).toBeGreaterThan(before)
      return JSON.stringify(chat.requests[before])
    }
    expect(await promptFor(editor)).toContain(name)
    expect(await promptFor(other)).not.toContain(name)
  })

  it('counts for the storage of the team', async () => {
    const half = (of: string) => ({ ...skillFiles(of), 'table.txt': 'x'.repeat(600_000) })
    await editor.call(routes.skills.put, { params: { name: 'large' }, body: { files: half('large') } })
    await editor.call(routes.skills.change, { params: { name: 'large' }, body: { reach: 'private' } })
    const { storageMb } = (await owner.call(routes.teams.quotas, {})).limits
    await owner.call(routes.teams.setQuotas, { body: { storageMb: 1 } })
    await expect(
      other.call(routes.skills.put, { params: { name: 'larger' }, body: { files: half('larger') } }),
    ).rejects.toMatchObject({ code: 'quota_exceeded' })
    await owner.call(routes.teams.setQuotas, { body: { storageMb } })
  })
})

describe('the owner of a skill', () => {
  const name = 'welcoming'
  const params = { name }

  it('is whoever stored the version in use, and not the author of a proposal before', async () => {
    const { key } = await editor.call(routes.keys.create, { body: { name: 'proposes', scopes: ['write'] } })
    const proposed = await server.withKey(key)(routes.skills.put, {
      params,
      body: { files: skillFiles(name), note: 'first' },
    })
    expect(proposed).toMatchObject({ state: 'proposed', activeVersion: null })
    const files = { 'SKILL.md': `---\nname: ${name}\ndescription: Greets\n---\nSay hello.\n` }
    expect(await other.call(routes.skills.put, { params, body: { files } })).toMatchObject({
      state: 'active',
      owner: { id: other.me.person.id },
    })
    await expect(editor.call(routes.skills.change, { params, body: { reach: 'private' } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(editor.call(routes.skills.remove, { params })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is the author of a proposal that was accepted', async () => {
    const { key } = await editor.call(routes.keys.create, { body: { name: 'proposes', scopes: ['write'] } })
    const at = { name: 'parting' }
    await server.withKey(key)(routes.skills.put, { params: at, body: { files: skillFiles(at.name) } })
    const { current } = await owner.call(routes.skills.get, { params: at })
    const body = { decision: 'approve', digest: current.digest } as const
    const params1 = { ...at, version: 1 }
    expect(await owner.call(routes.skills.decide, { params: params1, body })).toMatchObject({
      owner: { id: editor.me.person.id },
    })
  })
})
