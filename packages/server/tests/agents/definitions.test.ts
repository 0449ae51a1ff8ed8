import { routes } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, owner } = await startAgentServer()

const source = (name: string, rest = '') =>
  `# ${name}, by hand\nkind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\n${rest}`

describe('a definition', () => {
  it('is found by the agents it may ask and the skills it may load', async () => {
    await owner.call(routes.agents.create, { body: { source: source('asked') } })
    await owner.call(routes.agents.create, { body: { source: source('asks', 'tools: [agent:asked, files]\n') } })
    await owner.call(routes.agents.create, { body: { source: source('loads', 'skills: [count]\n'), status: 'draft' } })
    await owner.call(routes.agents.create, { body: { source: source('loads-all', 'skills: all\n') } })
    const using = async (uses: string) =>
      (await owner.call(routes.agents.list, { query: { uses } })).items
        .filter(({ isBuiltIn }) => !isBuiltIn)
        .map(({ name }) => name)
    expect(await using('agent:asked')).toEqual(['asks'])
    expect(await using('skill:count')).toEqual(['loads', 'loads-all'])
    expect(await using('agent:nobody')).toEqual([])
    await expect(using('files')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('is kept as it was written, in versions that can be compared and brought back', async () => {
    await owner.call(routes.agents.create, { body: { source: source('worker'), note: 'first' } })
    const second = source('worker', 'tools: [files]\n')
    const changed = await owner.call(routes.agents.put, {
      params: { name: 'worker' },
      body: { source: second, expectedVersion: 1 },
    })
    expect(changed).toMatchObject({ version: 2, source: second, definition: { tools: ['files'] } })
    const stale = owner.call(routes.agents.put, {
      params: { name: 'worker' },
      body: { source: second, expectedVersion: 1 },
    })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })

    const { diff } = await owner.call(routes.agents.diff, { params: { name: 'worker' }, query: { from: 1, to: 2 } })
    expect(diff).toContain('+tools: [files]')
    const back = await owner.call(routes.agents.rollback, { params: { name: 'worker', version: 1 } })
    expect(back).toMatchObject({ version: 3, source: source('worker') })
    const same = await owner.call(routes.agents.diff, { params: { name: 'worker' }, query: { from: 1, to: 3 } })
    expect(same.diff).toBe('')
    const { items } = await owner.call(routes.agents.versions, { params: { name: 'worker' } })
    expect(items.map(({ version, note }) => [version, note])).toEqual([
      [3, 'Back to version 1'],
      [2, ''],
      [1, 'first'],
    ])
  })

  it('is taken as YAML itself, and what is wrong is told with its place', async () => {
    const post = (path: string, body: string) =>
      owner.fetch(path, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body })
    const made = await post('/api/v1/agents', source('from-yaml'))
    expect(made.status).toBe(201)
    const checked = await post('/api/v1/agents/validate', source('x', 'modell: openai/gpt-5\n'))
    expect(await checked.json()).toMatchObject({
      valid: false,
      problems: [{ line: 6, column: 1, path: 'modell', hint: 'Did you mean “model”?' }],
    })
    const refused = await post('/api/v1/agents', 'kind: agent\nname: Not A Name\n')
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      error: { details: expect.arrayContaining([expect.objectContaining({ line: 2 })]) },
    })
  })

  it.each([
    ['a note that cannot be stored', 'PUT', '', { source: source('odd'), note: 'a\0b' }],
    ['a text that cannot be stored', 'PUT', '', { source: source('odd', '# a\0b\n') }],
    ['a value that cannot be stored', 'PUT', '', { source: source('odd').replace('Works', '"\\0"') }],
    ['a text that is empty', 'PUT', '', { source: '' }],
    ['a version that nothing can have', 'GET', '/diff?from=1&to=99999999999', undefined],
  ])('is refused as the mistake of whoever sends %s', async (_, method, path, body) => {
    await owner.call(routes.agents.create, { body: { source: source('odd') } }).catch(() => undefined)
    const headers = { 'content-type': 'application/json' }
    const init = { method, ...(body && { headers, body: JSON.stringify(body) }) }
    const answer = await owner.fetch(`/api/v1/agents/odd${path}`, init)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'invalid_input' } }])
  })

  it('that lacks something is a draft, says what, and cannot be activated', async () => {
    const body = { source: source('needy', 'tools: [agent:nobody]\nsources: [{ name: sales, access: read }]\n') }
    const made = await owner.call(routes.agents.create, { body })
    expect(made.status).toBe('draft')
    expect(made.needs.map(({ kind, name }) => [kind, name])).toEqual([
      ['agent', 'nobody'],
      ['source', 'sales'],
    ])
    const activate = owner.call(routes.agents.change, { params: { name: 'needy' }, body: { status: 'active' } })
    await expect(activate).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('no agent') })
    const { id } = await owner.call(routes.threads.create, { body: { agent: 'needy' } })
    const turn = owner.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text: 'Go' } })
    await expect(turn).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('is draft') })
  })

  it('that was paused takes no turn until it is active again', async () => {
    await owner.call(routes.agents.create, { body: { source: source('sleepy') } })
    await owner.call(routes.agents.change, { params: { name: 'sleepy' }, body: { status: 'paused' } })
    const { id } = await owner.call(routes.threads.create, { body: { agent: 'sleepy', title: 'x' } })
    const say = () =>
      owner.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text: 'Go' } })
    await expect(say()).rejects.toMatchObject({ code: 'conflict' })
    await owner.call(routes.agents.change, { params: { name: 'sleepy' }, body: { status: 'active' } })
    // it runs until it is stopped: what other tests have the model say is not for this one
    chat.answer([{ hangs: true }])
    const turn = await say()
    expect(turn).toMatchObject({ status: 'running' })
    await owner.call(routes.threads.stop, { params: { id: turn.id } })
  })

  it('comes with the product, and a team can have its own of the same name', async () => {
    const before = await owner.call(routes.agents.get, { params: { name: 'coder' } })
    expect(before).toMatchObject({ isBuiltIn: true, status: 'active', needs: [] })
    await expect(owner.call(routes.agents.remove, { params: { name: 'coder' } })).rejects.toMatchObject({
      code: 'not_found',
    })
    await owner.call(routes.agents.create, { body: { source: source('coder') } })
    const { items } = await owner.call(routes.agents.list, { query: { search: 'coder' } })
    expect(items).toMatchObject([{ name: 'coder', isBuiltIn: false }])
    await owner.call(routes.agents.remove, { params: { name: 'coder' } })
    expect(await owner.call(routes.agents.get, { params: { name: 'coder' } })).toMatchObject({ isBuiltIn: true })
  })

  it('has templates, each of which is valid and names what it still needs', async () => {
    const { items } = await owner.call(routes.agents.templates, {})
    expect(items.length).toBeGreaterThanOrEqual(6)
    for (const { id, source: text, needs } of items) {
      const verdict = await owner.call(routes.agents.validate, { body: { source: text } })
      expect([id, verdict.valid, verdict.needs]).toEqual([id, true, needs])
    }
    const ready = items.filter(({ needs }) => needs.length === 0).map(({ id }) => id)
    expect(ready).toEqual(['coding-agent', 'data-analyst', 'document-answerer'])
  })

  it.each(['coding-agent', 'data-analyst', 'document-answerer'])(
    'of the template %s works end to end',
    async (id) => {
      const { items } = await owner.call(routes.agents.templates, {})
      const template = items.find((one) => one.id === id)
      const { name } = await owner.call(routes.agents.create, { body: { source: template?.source ?? '' } })
      const workspace = await owner.call(routes.workspaces.create, { body: { name: id } })
      await owner.call(routes.workspaces.writeFile, {
        params: { id: workspace.id, path: 'sales.csv' },
        body: 'month,amount\n1,10\n2,32\n',
      })
      const isAnalyst = id === 'data-analyst'
      const code = 'import pandas as pd\nint(pd.read_csv("sales.csv").amount.sum())'
      chat.answer([
        {
          calls: [
            isAnalyst
              ? { name: 'run_code', arguments: { language: 'python', code } }
              : { name: 'read_file', arguments: { path: 'sales.csv' } },
          ],
        },
        { text: 'There.' },
      ])
      const thread = await owner.call(routes.threads.create, {
        body: { agent: name, workspaceId: workspace.id, title: 't' },
      })
      await (
        await owner.fetch(`/api/v1/threads/${thread.id}/turns`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: 'How much?' }),
        })
      ).text()
      const told = chat.requests.at(-1)?.messages.find(({ role }) => role === 'tool')
      expect(String(told?.content)).toContain(isAnalyst ? '42' : 'month,amount')
    },
    30_000,
  )
})
