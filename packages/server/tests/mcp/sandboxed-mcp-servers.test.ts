import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import { afterAll, expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { startNpmRegistry } from '../harness/outside/npm-registry.ts'

const registry = await startNpmRegistry()
afterAll(() => registry.close())
const page = createServer((_request, response) => response.end('reached'))
await new Promise<void>((resolve) => page.listen(0, '127.0.0.2', resolve))
const pageUrl = `http://127.0.0.2:${(page.address() as AddressInfo).port}/`
afterAll(() => page.close())
const { chat, owner, server } = await startAgentServer({
  ...{ COHEREX_NPM_REGISTRY: registry.url, COHEREX_ALLOW_PRIVATE: new URL(pageUrl).host },
})

/** A server as small as one can be: one line in, one line out. */
const script = `
const { createInterface } = require('node:readline')
const tools = [{ name: 'look', description: 'Tells where it is', inputSchema: { type: 'object' } }]
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...result }))
  if (id === undefined) return
  if (method === 'initialize') return say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } } })
  if (method === 'tools/list') return say({ result: { tools } })
  if (method === 'tools/call') {
    const host = await fetch('http://127.0.0.1:${new URL(server.url).port}/api/v1/health').then(() => 'reached', () => 'nothing')
    const text = JSON.stringify({ key: process.env.API_KEY, home: process.cwd(), host })
    return say({ result: { content: [{ type: 'text', text }] } })
  }
  say({ error: { code: -32601, message: 'no such method' } })
})`

const add = (name: string, command: string, args: string[], env = {}) =>
  owner.call(routes.mcpServers.add, { body: { name, place: { kind: 'sandboxed', command, args, env } } })

test('a command runs as an MCP server in a sandbox of its own, with the secrets it was given and no network', async () => {
  await owner.call(routes.secrets.put, { params: { name: 'SMALL_KEY' }, body: { value: 'a key of ours' } })
  expect(await add('small', 'node', ['-e', script], { API_KEY: 'SMALL_KEY' })).toMatchObject({
    ...{ status: 'ready', problem: null, title: 'small', tools: { approved: 0, waiting: 1 } },
  })
  const running = async () =>
    (await owner.call(routes.sandboxes.list, {})).items.filter(({ name }) => name === 'MCP server small')
  expect(await running()).toMatchObject([{ status: 'running' }])

  const { hash } = await owner.call(routes.mcpServers.tools, { params: { name: 'small' } })
  await owner.call(routes.mcpServers.approve, { params: { name: 'small' }, body: { hash } })
  const source = `kind: agent
name: user
description: Works
instructions: Work.
tools: ["mcp:small"]
approvals: { "mcp:small": never }
`
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([{ calls: [{ name: 'mcp_small_look', arguments: {} }] }, { text: 'Done.' }])
  const { id } = await owner.call(routes.threads.create, { body: { agent: 'user', title: 'work' } })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'Please' })
  await (await owner.fetch(`/api/v1/threads/${id}/turns`, { method: 'POST', headers, body })).text()
  const told = chat.requests.flatMap(({ messages }) => messages).findLast(({ role }) => role === 'tool')
  expect(JSON.parse(String(told?.content))).toEqual({
    ...{ key: 'a key of ours', home: expect.any(String) as string, host: 'nothing' },
  })
  expect(JSON.stringify(await owner.call(routes.mcpServers.get, { params: { name: 'small' } }))).not.toContain(
    'a key of ours',
  )

  await owner.call(routes.mcpServers.remove, { params: { name: 'small' } })
  await expect.poll(running).toEqual([])
})

test(
  'the command of an npm package is installed and started, in a sandbox of a template',
  { timeout: 120_000 },
  async () => {
    const bin = `#!/usr/bin/env node\n${script}`
    await registry.publish({
      ...{ name: '@small/server', version: '1.0.0', files: { 'server.js': bin } },
      manifest: { bin: { 'small-server': 'server.js' } },
    })
    await owner.call(routes.templates.build, { body: { name: 'base', packages: [] } })
    const place = {
      kind: 'sandboxed' as const,
      ...{
        command: 'small-server',
        args: ['--name', 'two words'],
        packages: ['npm:@small/server@1'],
        template: 'base',
      },
    }
    expect(await owner.call(routes.mcpServers.add, { body: { name: 'installed', place } })).toMatchObject({
      ...{ status: 'ready', problem: null, title: 'small', tools: { waiting: 1 } },
    })
    const { items } = await owner.call(routes.sandboxes.list, {})
    expect(items.find(({ name }) => name === 'MCP server installed')).toMatchObject({ template: { name: 'base' } })
    expect(await add('no-template', 'node', ['-e', script])).toMatchObject({ status: 'ready' })
    const wrong = { ...place, template: 'not-there' }
    expect(await owner.call(routes.mcpServers.add, { body: { name: 'wrong-template', place: wrong } })).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('not-there') as string,
    })
    for (const name of ['installed', 'no-template']) await owner.call(routes.mcpServers.remove, { params: { name } })
  },
)

/** Says what it reads from a page as its name. */
const reader = `
const { execFile } = require('node:child_process')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...result }))
  if (method === 'tools/list') return say({ result: { tools: [] } })
  if (method !== 'initialize') return say({ error: { code: -32601, message: 'no such method' } })
  execFile('curl', ['-sf', '--max-time', '5', '${pageUrl}'], (error, stdout) =>
    say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: stdout || 'nothing', version: '1' } } }))
})`

test.each([
  ['nothing', undefined],
  ['reached', { allow: [pageUrl] }],
])('a server in a sandbox finds %s of a page where its network is %o', async (title, network) => {
  const place = { kind: 'sandboxed' as const, command: 'node', args: ['-e', reader], ...(network && { network }) }
  expect(await owner.call(routes.mcpServers.add, { body: { name: `net-${title}`, place } })).toMatchObject({
    ...{ status: 'ready', title },
  })
})

const hoard = 'const held = []; for (;;) held.push(Buffer.alloc(50_000_000, 1))'

test.each([
  ['ends', 'sh', ['-c', 'echo no licence >&2; exit 3'], 'ended with exit code 3: no licence'],
  ['babbles', 'sh', ['-c', 'yes'], 'wrote more than 2000 lines'],
  ['writes-one-line-without-end', 'sh', ['-c', 'yes | tr -d "\\n"'], 'wrote more than 10000000 bytes'],
  ['takes-all-memory', 'node', ['-e', hoard], 'ended with SIGKILL'],
  ['is-not-there', 'no-such-command', ['$(reboot)', "'; reboot"], 'ended with exit code 127'],
])('a command that %s is a problem that people read', { timeout: 60_000 }, async (name, command, args, problem) => {
  expect(await add(name, command, args)).toMatchObject({
    status: 'failed',
    problem: expect.stringContaining(problem) as string,
  })
})
