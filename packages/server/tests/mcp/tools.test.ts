import { setTimeout as delay } from 'node:timers/promises'
import { routes, toolName } from '@coherex/contract'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { connectClient, revisions } from '../harness/outside/mcp-client.ts'
import type { TestPerson } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

async function connect(...of: Parameters<typeof connectClient>): Promise<Client> {
  const client = await connectClient(...of)
  clients.push(client)
  return client
}
const makeKey = async (person: TestPerson, scopes: ('read' | 'run' | 'write')[] = ['run', 'write']) =>
  person.call(routes.keys.create, { body: { name: 'mcp', scopes } })

async function publish(person: TestPerson, name: string, code: string, more = ''): Promise<void> {
  const yaml = `kind: tool\nname: ${name}\ndescription: A tool of a test\nlanguage: javascript\nlicence: MIT\n${more}`
  await person.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.js': code } } })
  const { published, checks } = await person.call(routes.tools.publishVersion, { params: { name }, body: {} })
  expect({ published, checks }).toMatchObject({ published: true })
}

const typed = `input: { type: object, properties: { a: { type: number }, b: { type: number } }, required: [a, b] }
output: { type: object, properties: { sum: { type: number } }, required: [sum] }
tests: [{ name: two, input: { a: 1, b: 2 }, output: { sum: 3 } }]
`
const bare = 'input: { type: number }\noutput: { type: number }\ntests: [{ name: two, input: 2, output: 4 }]\n'
await publish(owner, 'add', 'export default (env, { a, b }) => ({ sum: a + b })\n', typed)
await publish(owner, 'double', 'export default (env, input) => input * 2\n', bare)
const textOf = (result: { content: unknown }) =>
  (result.content as { type: string; text?: string }[]).map(({ text }) => text ?? '').join('\n')

describe.each(revisions)('revision %s', async (revision) => {
  const { key } = await makeKey(owner)
  const client = await connect(server.url, { key, revision })

  test('the official client speaks it, lists published tools with their schemas and calls them', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['run_code', 'ask_agent', 'add', 'double']))
    expect(tools.find(({ name }) => name === 'add')).toMatchObject({
      description: 'A tool of a test',
      inputSchema: { type: 'object', required: ['a', 'b'] },
      outputSchema: { type: 'object', required: ['sum'] },
      annotations: { openWorldHint: true },
    })
    const added = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })
    expect(added).toMatchObject({ structuredContent: { sum: 5 }, content: [{ type: 'text', text: '{"sum":5}' }] })
    const runId = (added._meta as Record<string, string>)['coherex/runId'] ?? ''
    const run = await owner.call(routes.runs.get, { params: { id: runId } })
    expect(run).toMatchObject({ status: 'succeeded', startedBy: { kind: 'key', door: 'mcp' } })
    // a value that is no object is one field of one
    const doubled = await client.callTool({ name: 'double', arguments: { input: 21 } })
    expect(doubled.structuredContent).toEqual({ output: 42 })
  })

  test('tools of ours have an underscore in their names, which no published tool can have', async () => {
    const { tools } = await client.listTools()
    const [published, ours] = [true, false].map((is) =>
      tools.flatMap(({ name, _meta }) => ((_meta?.['coherex/version'] !== undefined) === is ? [name] : [])),
    )
    expect(published).toEqual(expect.arrayContaining(['add', 'double']))
    expect(ours?.filter((name) => !name.includes('_') || toolName.safeParse(name).success)).toEqual([])
  })

  test('an input that does not fit is told to the model, and a tool that is not there is refused', async () => {
    const wrong = await client.callTool({ name: 'add', arguments: { a: 'x', b: 1 } })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('a must be number')
    await expect(client.callTool({ name: 'no-such-tool', arguments: {} })).rejects.toThrow('There is no tool')
  })

  test('run_code gives output, pictures and failures, and says what it prints as progress', async () => {
    const said: string[] = []
    // the client drops progress that comes in one piece with the result
    const pause = 'await new Promise((resolve) => setTimeout(resolve, 500))'
    const result = await client.callTool(
      { name: 'run_code', arguments: { language: 'javascript', code: `console.log("hello"); ${pause}; 6 * 7` } },
      { onprogress: ({ message }) => void said.push(message ?? '') },
    )
    expect(textOf(result)).toContain('hello')
    expect(textOf(result)).toContain('Result: 42')
    expect(said.join('')).toContain('hello')
    const plot = 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()'
    const { content } = await client.callTool({ name: 'run_code', arguments: { language: 'python', code: plot } })
    expect(content).toContainEqual({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) })
    const failed = await client.callTool({
      name: 'run_code',
      arguments: { language: 'javascript', code: 'throw new Error("no luck")' },
    })
    expect(failed.isError).toBe(true)
    expect(textOf(failed)).toContain('no luck')
  })

  test('a call that the client cancels cancels its run', async () => {
    const abort = new AbortController()
    const called = client.callTool(
      { name: 'run_code', arguments: { language: 'javascript', code: 'for (;;) {}', timeoutSeconds: 60 } },
      { signal: abort.signal },
    )
    called.catch(() => undefined)
    const running = async () => {
      const { items } = await owner.call(routes.runs.list, { query: { limit: 1 } })
      return items[0]
    }
    await expect.poll(async () => (await running())?.status, { timeout: 20_000 }).toBe('running')
    abort.abort()
    await expect(called).rejects.toThrow()
    await expect.poll(async () => (await running())?.status, { timeout: 20_000 }).toBe('cancelled')
  })

  test('workspaces are listed, read, written, edited and searched, and their files are resources', async () => {
    const { id } = await owner.call(routes.workspaces.create, { body: { name: `For ${revision}`, template: 'blank' } })
    const call = (name: string, input: Record<string, unknown>) =>
      client.callTool({ name, arguments: { workspaceId: id, ...input } })
    await call('write_file', { path: 'notes/one.md', content: '# One\n' })
    await call('edit_file', { path: 'notes/one.md', search: 'One', replace: 'Two' })
    const file = await call('read_file', { path: 'notes/one.md' })
    expect(textOf(file)).toBe('# Two\n')
    const about = { path: 'notes/one.md', mimeType: 'text/markdown', size: 6, text: '# Two\n' }
    expect(file.structuredContent).toEqual(about)
    const found = await call('search_files', { query: 'two' })
    expect(found.structuredContent).toMatchObject({ matches: [{ path: 'notes/one.md', line: 1 }] })
    const { items } = await owner.call(routes.workspaces.listVersions, { params: { id } })
    expect(items[0]?.author).toMatchObject({ kind: 'person', door: 'mcp' })

    const { resources } = await client.listResources()
    const listed = resources.find(({ uri }) => uri.includes(id))
    expect(listed).toMatchObject({ name: 'notes/one.md', mimeType: 'text/markdown' })
    const { contents } = await client.readResource({ uri: listed?.uri ?? '' })
    expect(contents).toMatchObject([{ text: '# Two\n' }])
    const { resourceTemplates } = await client.listResourceTemplates()
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: resourceTemplates[0]?.uriTemplate ?? '' },
      argument: { name: 'path', value: 'no' },
      context: { arguments: { workspaceId: id } },
    })
    expect(completion.values).toEqual(['notes/one.md'])
    await expect(client.readResource({ uri: `${listed?.uri ?? ''}x` })).rejects.toThrow()
  })

  test('a sandbox keeps variables and files from cell to cell', async () => {
    const made = await client.callTool({ name: 'create_sandbox', arguments: { language: 'javascript' } })
    const { sandboxId } = made.structuredContent as { sandboxId: string }
    const cell = (code: string) =>
      client.callTool({ name: 'run_cell', arguments: { sandboxId, language: 'javascript', code } })
    await cell('const kept = 40')
    expect(textOf(await cell('kept + 2'))).toContain('42')
    await client.callTool({ name: 'write_sandbox_file', arguments: { sandboxId, path: 'a.txt', content: 'hi' } })
    const read = await client.callTool({ name: 'read_sandbox_file', arguments: { sandboxId, path: 'a.txt' } })
    expect(textOf(read)).toBe('hi')
    expect(read.structuredContent).toEqual({ path: 'a.txt', mimeType: 'text/plain', size: 2, text: 'hi' })
    const waits = cell('await new Promise((resolve) => setTimeout(resolve, 60_000))')
    const interrupt = async () =>
      (await client.callTool({ name: 'interrupt_sandbox', arguments: { sandboxId } })).structuredContent
    await expect.poll(interrupt, { timeout: 20_000 }).toEqual({ interrupted: true })
    expect((await waits).isError).toBe(true)
    expect((await cell('kept + 3')).structuredContent).toMatchObject({ status: 'succeeded', result: 43, files: [] })
    const removed = await client.callTool({ name: 'remove_sandbox', arguments: { sandboxId } })
    expect(removed.structuredContent).toEqual({ removed: sandboxId })
    expect((await cell('kept')).isError).toBe(true)
  })

  test('run_code and read_file have structured output; run_code takes files and a network', async () => {
    const run = async (input: Record<string, unknown>) =>
      (await client.callTool({ name: 'run_code', arguments: { language: 'javascript', ...input } })).structuredContent
    const code = `import { readFileSync } from 'node:fs'\nconsole.log(readFileSync('a.txt', 'utf8'))\nexport default () => ({ n: 1 })`
    const network = { allow: ['https://api.example/'] }
    const told = (await run({ code, files: { 'a.txt': 'beside' }, network })) as { runId: string }
    expect(told).toMatchObject({ status: 'succeeded', output: 'beside\n', result: { n: 1 }, files: [] })
    expect(await owner.call(routes.runs.get, { params: { id: told.runId } })).toMatchObject({ status: 'succeeded' })
    expect(await run({ code: 'throw new Error("no luck")' })).toMatchObject({
      ...{ status: 'failed', error: { message: expect.stringContaining('no luck') } },
    })
    const { tools } = await client.listTools()
    const schemas = Object.fromEntries(tools.map(({ name, outputSchema }) => [name, outputSchema]))
    for (const name of ['run_code', 'run_cell', 'read_file', 'read_sandbox_file'])
      expect(schemas[name], name).toMatchObject({ type: 'object', properties: expect.any(Object) })
  })

  test('an agent answers, and what it says meanwhile comes as progress', async () => {
    chat.answer([{ text: 'All is well.' }])
    const said: string[] = []
    const answered = await client.callTool(
      { name: 'ask_agent', arguments: { agent: 'coder', question: 'How are you?' } },
      { onprogress: ({ message }) => void said.push(message ?? '') },
    )
    expect(answered.structuredContent).toMatchObject({ answer: 'All is well.', status: 'done' })
    expect(said.join('')).toContain('All is well.')
  })

  test('approved skills are prompts', async () => {
    const text = '---\nname: greet\ndescription: Says hello\n---\nSay hello to the person.\n'
    await owner.call(routes.skills.put, { params: { name: 'greet' }, body: { files: { 'SKILL.md': text } } })
    const { prompts } = await client.listPrompts()
    expect(prompts).toMatchObject([{ name: 'greet', description: 'Says hello' }])
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { task: 'Greet Ann' } })
    expect(messages.map(({ content }) => (content as { text: string }).text)).toEqual([text, 'Greet Ann'])
  })

  test('tools follow role and scopes of the caller, and are checked before each call', async () => {
    const viewer = await server.invite(owner, 'viewer')
    for (const one of [await makeKey(viewer), await makeKey(owner, ['read'])]) {
      const limited = await connect(server.url, { key: one.key, revision })
      const names = (await limited.listTools()).tools.map(({ name }) => name)
      expect(names).toContain('read_file')
      for (const name of ['add', 'run_code', 'write_file', 'ask_agent']) {
        expect(names).not.toContain(name)
        await expect(limited.callTool({ name, arguments: { a: 1, b: 2 } })).rejects.toThrow('There is no tool')
      }
    }
  })

  test('a second team sees nothing, and a revoked key is refused at its next call', async () => {
    const stranger = await server.stranger(owner)
    const theirs = await connect(server.url, { key: (await makeKey(stranger)).key, revision })
    expect((await theirs.listTools()).tools.map(({ name }) => name)).not.toContain('add')
    await expect(theirs.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).rejects.toThrow('There is no tool')
    expect((await theirs.listResources()).resources).toEqual([])

    const made = await makeKey(owner)
    const mine = await connect(server.url, { key: made.key, revision })
    expect((await mine.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).structuredContent).toEqual({ sum: 3 })
    await owner.call(routes.keys.revoke, { params: { id: made.id } })
    await expect(mine.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).rejects.toThrow()
    const answer = await fetch(new URL('/mcp', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain(
      `resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`,
    )
  })
})

test('a client of the newer revision hears that tools changed, until its key is revoked', async () => {
  const made = await makeKey(owner)
  const { client, heard } = await listening(made.key)
  await publish(owner, 'newest', 'export default () => ({ sum: 3 })\n', typed)
  await expect.poll(() => heard.at(-1) ?? [], { timeout: 10_000 }).toContain('newest')
  await owner.call(routes.keys.revoke, { params: { id: made.id } })
  const before = heard.length
  await owner.call(routes.tools.change, { params: { name: 'newest' }, body: { status: 'unpublished' } })
  await delay(2_000)
  expect(heard.length).toBe(before)
  await client.close()
})

async function listening(key: string): Promise<{ client: Client; heard: string[][] }> {
  const heard: string[][] = []
  const onChanged = (error: Error | null, tools: { name: string }[] | null) =>
    void (error ?? heard.push(tools?.map(({ name }) => name) ?? []))
  const client = await connect(server.url, { key, onTools: onChanged })
  return { client, heard }
}

test('a registry client finds the team’s server with its tools, and another team finds its own', async () => {
  const find = async (who: TestPerson, search?: string) =>
    who.call(routes.mcp.registry, { query: search === undefined ? {} : { search } })
  const { servers, metadata } = await find(owner)
  expect(metadata).toEqual({ count: 1 })
  const { published } = await owner.call(routes.mcp.setup, {})
  expect(published.map(({ name }) => name)).toEqual(expect.arrayContaining(['add', 'double']))
  expect(servers).toMatchObject([
    {
      server: {
        name: 'local.coherex/coherex',
        remotes: [{ type: 'streamable-http', url: `${server.url}/mcp`, headers: [{ name: 'Authorization' }] }],
      },
      _meta: { 'coherex/tools': expect.arrayContaining(['add']) },
    },
  ])
  expect(servers[0]?.server.description.length).toBeLessThanOrEqual(100)
  // the address that it names is the one that the official client is served at
  const { key } = await makeKey(owner)
  const client = await connect(new URL(servers[0]?.server.remotes[0]?.url ?? '').origin, { key })
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('add')

  expect((await find(owner, 'ADD')).servers).toHaveLength(1)
  expect((await find(owner, 'no such tool')).servers).toEqual([])
  const [theirs] = (await find(await server.stranger(owner))).servers
  expect(theirs?._meta).toMatchObject({ 'coherex/tools': [] })
  await expect(owner.call(routes.mcp.registry, { query: { cursor: 'x' } })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  expect((await fetch(`${server.url}/mcp/registry/v0.1/servers`)).status).toBe(401)
})

test('a registry client reads one version of the server, from any page, and pages as it was told', async () => {
  const { registryUrl } = await owner.call(routes.mcp.setup, {})
  const { key } = await makeKey(owner, ['read'])
  const headers = { authorization: `Bearer ${key}`, origin: 'https://editor.example' }
  const read = async (path: string) => {
    const answer = await fetch(`${registryUrl}/v0.1/servers${path}`, { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    return { status: answer.status, body: (await answer.json()) as { servers?: unknown[] } }
  }
  const name = encodeURIComponent('local.coherex/coherex')
  const latest = await read(`/${name}/versions/latest`)
  expect(latest).toMatchObject({
    status: 200,
    body: {
      server: { name: 'local.coherex/coherex', version: expect.any(String) },
      _meta: {
        'io.modelcontextprotocol.registry/official': {
          ...{ status: 'active', isLatest: true },
          ...{ publishedAt: expect.stringMatching(/^2\d{3}-/), updatedAt: expect.stringMatching(/^2\d{3}-/) },
        },
      },
    },
  })
  const { version } = (latest.body as unknown as { server: { version: string } }).server
  expect(await read(`/${name}/versions/${version}`)).toEqual(latest)
  expect((await read(`/${name}/versions`)).body.servers).toEqual([latest.body])
  expect((await read(`/${name}/versions/0.0.0-none`)).status).toBe(404)
  expect((await read('/com.other%2Fserver/versions/latest')).status).toBe(404)
  expect((await read(`?limit=1&version=latest`)).body.servers).toHaveLength(1)
  expect((await read(`?updated_since=2999-01-01T00:00:00Z`)).body.servers).toEqual([])
  for (const query of ['?limit=0', '?limit=x', '?cursor=x']) expect((await read(query)).status, query).toBe(400)
  // a page that asks whether it may send a key; a cookie is never let in by that
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
  const preflight = await fetch(`${registryUrl}/v0.1/servers`, {
    method: 'OPTIONS',
    headers: { origin: 'https://editor.example', ...asked },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
})
