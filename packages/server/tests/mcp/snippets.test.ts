import { fileURLToPath } from 'node:url'
import { routes, type McpSnippet } from '@coherex/contract'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const coherex = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  const yaml =
    'kind: tool\nname: double\ndescription: Doubles\nlanguage: javascript\nlicence: MIT\ninput: { type: number }\noutput: { type: number }\ntests: [{ name: two, input: 2, output: 4 }]\n'
  const files = { 'tool.yaml': yaml, 'main.js': 'export default (env, input) => input * 2\n' }
  await owner.call(routes.tools.save, { body: { files } })
  await owner.call(routes.tools.publishVersion, { params: { name: 'double' }, body: {} })
})
afterAll(() => server.stop())

interface Told {
  url?: string
  headers?: Record<string, string>
  command?: string
  args?: string[]
  env?: Record<string, string>
}

/** What a client makes of a text that was pasted into it. */
function readSnippet({ client, text }: McpSnippet, key: string): Told {
  if (client === 'claude-code') {
    const [, url = '', name = '', value = ''] =
      /^claude mcp add --transport http coherex (\S+) --header "([^:]+): ([^"]+)"$/.exec(text) ?? []
    return { url, headers: { [name]: value } }
  }
  if (client === 'codex') {
    const table = Object.fromEntries([...text.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value]))
    expect(text).toMatch(/^\[mcp_servers\.coherex\]$/m)
    expect(table['bearer_token_env_var']).toBe('COHEREX_TOKEN')
    return { url: table['url'], headers: { Authorization: `Bearer ${key}` } }
  }
  const { mcpServers, servers } = JSON.parse(text) as Record<string, Record<string, Told> | undefined>
  return (mcpServers ?? servers)?.['coherex'] ?? {}
}

function transportOf({ url, headers, command, args = [], env = {} }: Told): Transport {
  if (url !== undefined)
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers ?? {} } })
  expect(command).toBe('coherex')
  const path = { PATH: process.env['PATH'] ?? '' }
  return new StdioClientTransport({ command: process.execPath, args: [coherex, ...args], env: { ...path, ...env } })
}

test.each(['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex'] as const)(
  'the snippet for %s leads to a call that is seen as a run, until its key is revoked, and not in a second team',
  { timeout: 120_000 },
  async (name) => {
    const open = async (person: TestPerson) => {
      const { id, key } = await person.call(routes.keys.create, { body: { name, scopes: ['run'] } })
      const { snippets } = await person.call(routes.mcp.setup, {})
      const found = snippets.find(({ client }) => client === name)
      if (!found) throw new Error(`no snippet for ${name}`)
      const told = readSnippet({ ...found, text: found.text.replaceAll('YOUR_KEY', key) }, key)
      const client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(transportOf(told))
      return { client, id, key }
    }
    const { client, id, key } = await open(owner)
    const called = await client.callTool({ name: 'double', arguments: { input: 21 } })
    expect(called.structuredContent).toEqual({ output: 42 })
    const runId = (called._meta as Record<string, string>)['coherex/runId'] ?? ''
    expect(await owner.call(routes.runs.get, { params: { id: runId } })).toMatchObject({
      ...{ status: 'succeeded', startedBy: { kind: 'key', door: 'mcp' } },
    })
    await owner.call(routes.keys.revoke, { params: { id } })
    await expect(client.callTool({ name: 'double', arguments: { input: 1 } })).rejects.toThrow()
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(401)
    await client.close()

    const stranger = await open(await server.stranger(owner))
    expect((await stranger.client.listTools()).tools.map((tool) => tool.name)).not.toContain('double')
    await stranger.client.close()
  },
)
