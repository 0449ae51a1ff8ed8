import { createClient, routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCoherex } from './run-coherex.ts'
import { startMcpServer, type SmallMcpServer } from './small-mcp-server.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

let remote: SmallMcpServer
let server: Awaited<ReturnType<typeof startRealServer>>
beforeAll(async () => {
  remote = await startMcpServer()
  const settings = { COHEREX_WARM: 'false', COHEREX_ALLOW_PRIVATE: `127.0.0.1:${remote.port}` }
  server = await startRealServer(settings)
})
afterAll(async () => {
  await server.stop()
  await remote.stop()
})

const coherex = (...args: string[]) =>
  runCoherex(['mcp-server', ...args], { env: { COHEREX_URL: server.url, COHEREX_TOKEN: ownerKey }, cwd: server.home })

test('an admin adds a server, looks at its tools, approves them as they were shown, and removes it', async () => {
  const search = { name: 'search', description: 'Finds issues', annotations: { readOnlyHint: true } }
  remote.tools = [search, { name: 'close', description: 'Closes one' }]
  expect(await coherex('ls')).toMatchObject({ code: 0, stdout: 'No MCP servers\n' })
  expect((await coherex('add', 'git', remote.url)).stdout).toContain('Added git: 2 tools wait for approval')
  const { hash } = JSON.parse((await coherex('tools', 'git', '--json')).stdout) as { hash: string }

  expect((await coherex('approve', 'git', '--only', 'search')).stdout).toBe('Agents may use 1 of 2 tools of git\n')
  // they are not as they were when they were looked at
  expect((await coherex('approve', 'git', '--hash', hash)).code).not.toBe(0)
  const { stdout: table } = await coherex('ls')
  expect(table).toMatch(/git\s+ready\s+1\s+1\s+http/)
  expect((await coherex('add', 'git', remote.url)).code).not.toBe(0)

  expect(await coherex('rm', 'git')).toMatchObject({ code: 0, stdout: 'Removed git\n' })
  expect((await coherex('tools', 'git')).code).not.toBe(0)
})

test('a secret of the team is sent as --key and --header say', async () => {
  remote.tools = [{ name: 'search', description: 'Finds issues' }]
  const call = createClient({ baseUrl: server.url, fetch, key: ownerKey })
  await call(routes.secrets.put, { params: { name: 'GIT_KEY' }, body: { value: 'a key of git' } })
  remote.headers.length = 0
  expect((await coherex('add', 'bearer', remote.url, '--key', 'GIT_KEY')).stdout).toContain('1 tools wait')
  expect(remote.headers.every(({ authorization }) => authorization === 'Bearer a key of git')).toBe(true)
  remote.headers.length = 0
  const named = await coherex('add', 'named', remote.url, '--key', 'GIT_KEY', '--header', 'X-Api-Key')
  expect(named.stdout).toContain('Added named')
  expect(remote.headers.length).toBeGreaterThan(0)
  for (const headers of remote.headers) {
    expect(headers).toMatchObject({ 'x-api-key': 'a key of git' })
    expect(headers.authorization).toBeUndefined()
  }
  expect((await coherex('add', 'lacking', remote.url, '--key', 'NOT_THERE')).stdout).toContain(
    'The team has no secret "NOT_THERE"',
  )
})

test('set puts a server elsewhere, refresh asks it again, and show tells how it is reached', async () => {
  remote.tools = [{ name: 'search', description: 'Finds issues' }]
  await coherex('add', 'moving', remote.url)
  await coherex('approve', 'moving')
  const oauth = ['--scope', 'read write', '--client-id', 'us', '--client-secret', 'GIT_KEY']
  await coherex('set', 'moving', remote.url, ...oauth)
  const { stdout } = await coherex('show', 'moving', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    place: {
      url: remote.url,
      auth: { kind: 'oauth', scope: 'read write', clientId: 'us', clientSecret: 'GIT_KEY' },
    },
    // what was approved was approved of another place
    tools: { approved: 0 },
  })
  remote.tools = [...remote.tools, { name: 'close', description: 'Closes one' }]
  await coherex('set', 'moving', remote.url)
  expect((await coherex('refresh', 'moving')).stdout).toContain('Asked moving: 2 tools wait for approval')

  const command = ['--env', 'API_KEY=GIT_KEY', '--env', 'REGION', '--template', 'data', '--packages', 'npm:x,pypi:y']
  await coherex('set', 'moving', ...command, '--', 'serve', '--root', 'My files')
  const shown = await coherex('show', 'moving', '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    place: {
      ...{ kind: 'sandboxed', command: 'serve', args: ['--root', 'My files'], packages: ['npm:x', 'pypi:y'] },
      ...{ env: { API_KEY: 'GIT_KEY', REGION: 'REGION' }, template: 'data' },
    },
  })
  const { stdout: words } = await coherex('show', 'moving')
  expect(words).toMatch(/secrets.*API_KEY=GIT_KEY/)
  expect(words).toMatch(/problem\s+\S/)
})
