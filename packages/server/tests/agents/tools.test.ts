import { routes, type Thread } from '@coherex/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import type { ChatReply } from '../harness/outside/chat-server.ts'
import { startNpmRegistry } from '../harness/outside/npm-registry.ts'

const registry = await startNpmRegistry()
const { chat, owner } = await startAgentServer({ COHEREX_NPM_REGISTRY: registry.url })
afterAll(() => registry.close())

const call = (name: string, input: object): ChatReply => ({ calls: [{ name, arguments: input }] })

/** Has an agent do as scripted, and answers what its tools told the model. */
async function work(
  agent: string,
  replies: ChatReply[],
  workspaceId?: string,
): Promise<{ told: string[]; thread: Thread }> {
  chat.answer([...replies, { text: 'Done.' }])
  chat.requests.length = 0
  const { id } = await owner.call(routes.threads.create, {
    body: { agent, title: 'work', ...(workspaceId && { workspaceId }) },
  })
  const response = await owner.fetch(`/api/v1/threads/${id}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Please' }),
  })
  await response.text()
  const told = chat.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
  return { told: told ?? [], thread: await owner.call(routes.threads.get, { params: { id } }) }
}

async function makeWorkspace(files: Record<string, string>): Promise<string> {
  const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Work' } })
  for (const [path, body] of Object.entries(files)) {
    await owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
  }
  return id
}

const readFile = async (id: string, path: string) =>
  (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()

describe('the tools of the coder', () => {
  it('write a failing program, run it, read the error and mend it, while a person types in the same file', async () => {
    const workspaceId = await makeWorkspace({ 'main.py': '# by Olga\n\n\n\nprint(total(2, 3))\n' })
    chat.answer([
      call('read_file', { path: 'main.py' }),
      call('edit_file', {
        path: 'main.py',
        search: 'print(total',
        replace: 'def total(a, b):\n    return a + c\n\nprint(total',
      }),
      call('bash', { command: 'python3 main.py' }),
      call('edit_file', { path: 'main.py', search: 'a + c', replace: 'a + b' }),
      call('bash', { command: 'python3 main.py' }),
      { text: 'It prints 5.' },
    ])
    const script = chat.requests.length
    const { id } = await owner.call(routes.threads.create, { body: { workspaceId, title: 'story' } })
    const turn = owner.fetch(`/api/v1/threads/${id}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Make it work' }),
    })
    // the person types after the agent has read the file
    await expect.poll(() => chat.requests.length, { timeout: 20_000 }).toBeGreaterThan(script + 1)
    await owner.call(routes.workspaces.edit, {
      params: { id: workspaceId },
      body: { path: 'main.py', search: '# by Olga', replace: '# by Olga, who types meanwhile' },
    })
    await (await turn).text()
    const told = chat.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content))
    expect(told?.[2]).toContain("NameError: name 'c' is not defined")
    expect(told?.[4]).toContain('5')
    const text = await readFile(workspaceId, 'main.py')
    expect(text).toContain('# by Olga, who types meanwhile')
    expect(text).toContain('return a + b')
  }, 60_000)

  it('list, search, move and delete files, and say what is wrong with a call', async () => {
    const workspaceId = await makeWorkspace({ 'a.txt': 'one\ntwo\n', 'src/b.txt': 'two two\n' })
    const { told } = await work(
      'coder',
      [
        call('list_files', {}),
        call('search_files', { query: 'two' }),
        call('write_file', { path: 'a.txt', content: 'over' }),
        call('edit_file', { path: 'src/b.txt', search: 'two', replace: '2' }),
        call('read_file', { path: '../../etc/passwd' }),
        call('move_file', { from: 'src/b.txt', to: 'c.txt' }),
        call('delete_file', { path: 'a.txt' }),
        call('list_files', {}),
      ],
      workspaceId,
    )
    expect(told[0]).toMatch(/a\.txt\t8 bytes\nsrc\/b\.txt/)
    expect(told[1]).toContain('a.txt:2: two')
    expect(told[2]).toContain('read it first')
    expect(told[3]).toMatch(/2/)
    expect(told[4]).not.toContain('root:')
    expect(told[7]).toMatch(/^c\.txt/)
  })

  it('write over no file they have not read, whatever its name', async () => {
    const workspaceId = await makeWorkspace({ 'app/[id].tsx': 'kept\n', 'a+b (1).txt': 'kept\n', 'star.txt': 'kept\n' })
    const names = ['app/[id].tsx', 'a+b (1).txt', 'st*r.txt']
    const { told } = await work(
      'coder',
      names.map((path) => call('write_file', { path, content: 'over' })),
      workspaceId,
    )
    expect(told.map((one) => one.includes('read it first'))).toEqual([true, true, false])
    expect(await readFile(workspaceId, 'app/[id].tsx')).toBe('kept\n')
    expect(await readFile(workspaceId, 'star.txt')).toBe('kept\n')
  })

  it('change many files by one command over the workspace itself', async () => {
    const workspaceId = await makeWorkspace({ 'a.txt': 'colour\n', 'src/b.txt': 'colour colour\n', 'c.txt': 'none\n' })
    const { told } = await work(
      'coder',
      [
        call('workspace_shell', { command: 'grep -rl colour . | xargs sed -i s/colour/color/g && rm c.txt && ls' }),
        call('workspace_shell', { command: 'cat missing.txt' }),
      ],
      workspaceId,
    )
    expect(told[0]).toContain('src/b.txt: written')
    expect(told[0]).toContain('c.txt: deleted')
    expect(told[1]).toContain('Exit code 1')
    expect(await readFile(workspaceId, 'src/b.txt')).toBe('color color\n')
  }, 30_000)

  it('keep variables in the sandbox of the thread, and show plots to the person', async () => {
    const { told, thread } = await work('coder', [
      call('run_code', { language: 'python', code: 'x = 20' }),
      call('run_code', {
        language: 'python',
        code: 'import matplotlib.pyplot as plt\nplt.plot([1, x])\nplt.show()\nx + 22',
      }),
    ])
    expect(told[1]).toContain('42')
    expect(JSON.stringify(thread.messages.at(-1)?.parts)).toContain('image/png')
    expect(thread.sandboxId).toMatch(/^sbx_/)
  }, 60_000)

  it('add packages to the sandbox of the thread by the rules of the team', async () => {
    await registry.publish({ name: 'greeter', version: '1.2.0' })
    const code = `console.log((await import('greeter')).default)`
    const { told } = await work('coder', [
      call('run_code', { language: 'javascript', code, packages: ['greeter@1'] }),
      call('run_code', { language: 'javascript', code }),
      call('run_code', { language: 'bash', code: 'true', packages: ['greeter'] }),
      call('run_code', { language: 'javascript', code: '1', packages: ['https://elsewhere.test/x.tgz'] }),
    ])
    expect(told[0]).toContain('greeter@1.2.0')
    expect(told[1]).toContain('greeter@1.2.0')
    expect(told[2]).toContain('packages: bash takes none')
    expect(told[3]).toContain('names no package')
  }, 120_000)

  it('are called many times by one program, each call checked', async () => {
    const workspaceId = await makeWorkspace({ 'a.txt': 'alpha', 'b.txt': 'beta' })
    const code = `export default async (env) => {
      const found = []
      for (const path of ['a.txt', 'b.txt']) found.push((await env.TOOLS.read_file({ path })).text)
      const refused = await env.TOOLS.read_file({ file: 'a.txt' }).catch((error) => error.message)
      return { found, refused }
    }`
    const { told, thread } = await work('coder', [call('run_program', { code })], workspaceId)
    expect(told[0]).toContain('alpha')
    expect(told[0]).toContain('beta')
    expect(told[0]).toContain('path')
    expect(JSON.stringify(thread.messages.at(-1)?.parts)).toContain('"outcome":"failed"')
  }, 30_000)
})

describe('an agent', () => {
  it('finds its own variables over those of the workspace, whatever it runs code with', async () => {
    const source =
      'kind: agent\nname: settled\ndescription: Works\ninstructions: Work.\ntools: [bash, run-code, code-mode]\n'
    await owner.call(routes.agents.create, { body: { source } })
    const workspaceId = await makeWorkspace({})
    const setHere = (variable: string, value: string) =>
      owner.call(routes.variables.putOfWorkspace, { params: { id: workspaceId, variable }, body: { value } })
    await setHere('REGION', 'north')
    await setHere('TONE', 'of the workspace')
    const params = { name: 'settled', variable: 'TONE' }
    await owner.call(routes.variables.putOfAgent, { params, body: { value: 'dry' } })
    const shell = 'echo "$REGION, $TONE"'
    const { told } = await work(
      'settled',
      [
        call('bash', { command: shell }),
        call('run_code', { language: 'python', code: `import os\nos.environ['REGION'] + ', ' + os.environ['TONE']` }),
        call('workspace_shell', { command: shell }),
        call('run_program', { code: `export default ({ VARS }) => VARS.REGION + ', ' + VARS.TONE` }),
      ],
      workspaceId,
    )
    for (const text of told) expect(text).toContain('north, dry')
    expect(told).toHaveLength(4)
    const { items } = await owner.call(routes.runs.list, { query: { limit: 1 } })
    const [{ id = '' } = {}] = items
    expect((await owner.call(routes.runs.get, { params: { id } })).runtime?.variables).toEqual([
      { name: 'TONE', from: 'agent' },
      { name: 'REGION', from: 'workspace' },
    ])
  })

  it('has variables once it is the team’s own', async () => {
    const params = { name: 'coder', variable: 'TONE' }
    await expect(owner.call(routes.variables.putOfAgent, { params, body: { value: 'dry' } })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await owner.call(routes.variables.listOfAgent, { params: { name: 'coder' } })).toEqual({ items: [] })
  })

  it('asks another one, which answers within what is left', async () => {
    const source = (name: string, other: string) =>
      `kind: agent\nname: ${name}\ndescription: Works\ninstructions: You are ${name}.\ntools: [agent:${other}]\nlimits: { depth: 1 }\n`
    // each names the other: the first waits as a draft until the second is there
    await owner.call(routes.agents.create, { body: { source: source('boss', 'helper'), status: 'draft' } })
    await owner.call(routes.agents.create, { body: { source: source('helper', 'boss') } })
    await owner.call(routes.agents.change, { params: { name: 'boss' }, body: { status: 'active' } })
    chat.answer(({ messages }) => {
      const isHelper = String(messages[0]?.content).includes('You are helper')
      const results = messages.filter(({ role }) => role === 'tool')
      if (isHelper && results.length === 0) return call('ask_boss', { question: 'And you?' })
      if (isHelper) return { text: `I was told: ${String(results[0]?.content)}` }
      return results.length === 0
        ? call('ask_helper', { question: 'What is it?' })
        : { text: String(results[0]?.content) }
    })
    const { id } = await owner.call(routes.threads.create, { body: { agent: 'boss', title: 'ask' } })
    const response = await owner.fetch(`/api/v1/threads/${id}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Ask' }),
    })
    await response.text()
    const thread = await owner.call(routes.threads.get, { params: { id } })
    expect(JSON.stringify(thread.messages.at(-1)?.parts)).toContain('as deep as they may')
    const listed = await owner.call(routes.threads.list, {})
    expect(listed.items.map(({ agent }) => agent)).not.toContain('helper')
  })

  it('is built in a conversation, and never saved while it is not valid', async () => {
    const wrong = 'kind: agent\nname: Weather Agent\ninstructions: Tell the weather.\n'
    const missing = 'kind: agent\nname: weather\ninstructions: Tell the weather.\n'
    const right = 'kind: agent\nname: weather\ndescription: Tells the weather\ninstructions: Tell the weather.\n'
    const { told, thread } = await work('builder', [
      call('draft_definition', { source: wrong }),
      call('save_agent', { source: missing }),
      call('draft_definition', { source: right }),
      call('save_agent', { source: right }),
    ])
    expect(told[0]).toContain('line 2, column 1: name')
    expect(told[1]).toContain('It was not saved')
    expect(told[2]).toContain('The definition is valid')
    expect(told[3]).toContain('"weather" is saved as version 1')
    expect(JSON.stringify(thread.messages.at(-1)?.parts)).toContain('"isValid":true')
    const saved = await owner.call(routes.agents.get, { params: { name: 'weather' } })
    expect(saved).toMatchObject({ version: 1, status: 'draft', needs: [] })
  })

  it('is generated from a description in one request, which stores no agent', async () => {
    const wrong = 'kind: agent\nname: poet\ninstructions: Rhyme.\n'
    const right = `${wrong}description: Rhymes\n`
    const generate = (replies: ChatReply[]) => {
      chat.answer(replies)
      return owner.call(routes.agents.generate, { body: { text: 'A poet' } })
    }
    const draft = (source: string) => call('draft_definition', { source })
    const done = { text: 'There it is.' }
    const made = await generate([draft(right), done])
    expect(made).toMatchObject({ source: right, valid: true, problems: [], needs: [] })
    expect(await generate([draft(wrong), draft(right), done])).toMatchObject({ source: right, valid: true })
    expect(await generate([draft(wrong), done])).toMatchObject({ source: wrong, valid: false, problems: [{}] })
    const thread = await owner.call(routes.threads.get, { params: { id: made.threadId } })
    expect(thread).toMatchObject({ agent: 'builder', title: 'New agent: A poet' })
    await expect(owner.call(routes.agents.get, { params: { name: 'poet' } })).rejects.toMatchObject({
      code: 'not_found',
    })

    const never = generate([{ text: 'What should it rhyme about?' }])
    await expect(never).rejects.toMatchObject({ message: 'No definition was written. The model answered without one' })
  })

  it('that nobody waits for any more is not generated further', async () => {
    chat.answer([{ hangs: true }])
    const gone = new AbortController()
    const asked = owner.fetch('/api/v1/agents/generate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'A painter' }),
      signal: gone.signal,
    })
    const newest = async () => (await owner.call(routes.threads.list, { query: { search: 'painter' } })).items[0]
    await expect.poll(async () => (await newest())?.activity).toBe('thinking')
    gone.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(async () => (await newest())?.activity).not.toBe('thinking')
  })
})
