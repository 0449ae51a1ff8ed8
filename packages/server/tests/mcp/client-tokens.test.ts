import { routes } from '@coherex/contract'
import { afterAll, expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { connectClient } from '../harness/outside/mcp-client.ts'
import { startMcpServer } from '../harness/outside/mcp-server.ts'

const remote = await startMcpServer()
remote.tools = [{ name: 'look', description: 'Looks', annotations: { readOnlyHint: true } }]
const { chat, owner, server } = await startAgentServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${remote.port}` })
afterAll(() => remote.stop())

test('a token of an MCP client reaches no run of a published tool, no row and no remote server', async () => {
  const { key } = await owner.call(routes.keys.create, { body: { name: 'mcp', scopes: ['run'] } })
  const client = await connectClient(server.url, { key })

  const yaml = `kind: tool\nname: look-around\ndescription: Tells all that it sees\nlanguage: python\nlicence: MIT\ninput: { type: object }\noutput: { type: string }\ntests: [{ name: any, input: {}, check: "len(output) > 0" }]\n`
  const code =
    "import os, json\n\ndef main():\n    return json.dumps([dict(os.environ), open('/proc/self/cmdline').read()])\n"
  await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.py': code } } })
  const { published, checks } = await owner.call(routes.tools.publishVersion, {
    params: { name: 'look-around' },
    body: {},
  })
  expect(published, JSON.stringify(checks)).toBe(true)
  const looked = await client.callTool({ name: 'look-around', arguments: {} })
  expect(JSON.stringify(looked)).toContain('PATH')
  expect(JSON.stringify(looked)).not.toContain(key)

  await owner.call(routes.mcpServers.add, {
    body: { name: 'other', place: { kind: 'remote', url: remote.url, auth: { kind: 'none' } } },
  })
  const { hash } = await owner.call(routes.mcpServers.tools, { params: { name: 'other' } })
  await owner.call(routes.mcpServers.approve, { params: { name: 'other' }, body: { hash } })
  const source =
    'kind: agent\nname: looker\ndescription: Looks\ninstructions: Look.\ntools: ["mcp:other", "tool:look-around"]\n'
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([{ calls: [{ name: 'mcp_other_look', arguments: {} }] }, { text: 'Done.' }])
  await client.callTool({ name: 'ask_agent', arguments: { agent: 'looker', question: 'Look' } })
  expect(remote.requests.filter(({ body }) => body.includes('"tools/call"'))).toHaveLength(1)
  expect(JSON.stringify(remote.requests)).not.toContain(key)
  expect(JSON.stringify(chat.requests)).not.toContain(key)

  const superuser = await server.database.superuser()
  const { rows: tables } = await superuser.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'coherex%'`,
  )
  expect(tables.length).toBeGreaterThan(50)
  for (const { name } of tables) {
    const { rows } = await superuser.query(`SELECT 1 FROM ${name} AS one WHERE one::text LIKE '%' || $1 || '%'`, [key])
    expect(rows, name).toEqual([])
  }
  await superuser.end()
  await client.close()
})
