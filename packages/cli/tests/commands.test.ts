import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeLogin } from '../src/login-file.ts'
import { runCoherex } from './run-coherex.ts'
import { apiKey, auditEvent, me, member, startSmallServer, type Call } from './small-server.ts'

const goodKey = 'chx_good'
const health = {
  status: 'ok',
  version: '9.9.9',
  runtimes: [{ name: 'process', available: false, reason: 'install bubblewrap' }],
}

let home: string
let server: Awaited<ReturnType<typeof startSmallServer>>

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'coherex-cli-'))
  server = await startSmallServer((call) => {
    if (call.path === '/healthz') return [200, health]
    if (call.key !== goodKey) return [401, { error: { code: 'unauthenticated', message: 'This key is not valid' } }]
    return answer(call)
  })
})
afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

function answer({ method, path, body }: Call): [number, unknown?, Record<string, string>?] {
  const url = new URL(path, 'http://test')
  if (path === '/api/v1/me') return [200, me]
  if (url.pathname === '/api/v1/members') return [200, { items: [member], nextCursor: null }]
  if (url.pathname === '/api/v1/audit') return [200, { items: [auditEvent], nextCursor: null }]
  if (url.pathname === '/api/v1/keys' && method === 'GET') {
    return url.searchParams.has('cursor')
      ? [200, { items: [apiKey(2)], nextCursor: null }]
      : [200, { items: [apiKey(1)], nextCursor: 'next' }]
  }
  if (path === '/api/v1/keys') return [201, { ...apiKey(3), ...(body as object), key: 'chx_secret' }]
  if (path === `/api/v1/keys/${apiKey(1).id}`) return [204]
  if (method === 'DELETE') return [404, { error: { code: 'not_found', message: 'There is no such key' } }]
  return [500, { error: { code: 'internal', message: 'unexpected call' } }]
}

const coherex = (args: string[], options: { stdin?: string; env?: Record<string, string> } = {}) =>
  runCoherex(args, { ...options, env: { XDG_CONFIG_HOME: home, ...options.env }, cwd: home })
const loginFile = () => join(home, 'coherex/config.json')
const login = () => coherex(['login', server.url, '--key', goodKey])
/** As a login leaves it. */
const signIn = () => writeLogin(loginFile(), { url: server.url, key: goodKey })

test('login tries the key and keeps it where only the person can read it', async () => {
  expect(await login()).toEqual({
    code: 0,
    stdout: `Signed in to ${server.url} as Ada <ada@example.test>, owner of Engines\n`,
    stderr: '',
  })
  expect(statSync(loginFile()).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'coherex')).mode & 0o777).toBe(0o700)
  expect(JSON.parse(readFileSync(loginFile(), 'utf8'))).toEqual({ url: server.url, key: goodKey })
})

test('login narrows a file that was open to others', async () => {
  await login()
  writeFileSync(loginFile(), '{}', { mode: 0o644 })
  await login()
  expect(statSync(loginFile()).mode & 0o777).toBe(0o600)
})

test.each(['', '\n', '\nmore\n'])('login reads the key from a pipe that ends with %j', async (end) => {
  const { code } = await coherex(['login', server.url], { stdin: `${goodKey}${end}` })
  expect(code).toBe(0)
  expect(server.calls).toMatchObject([{ path: '/api/v1/me', key: goodKey }])
})

test('login refuses a wrong key with 3 and keeps nothing', async () => {
  const { code, stderr } = await coherex(['login', server.url, '--key', 'chx_bad'])
  expect({ code, stderr }).toEqual({ code: 3, stderr: 'coherex: This key is not valid\n' })
  expect(() => statSync(loginFile())).toThrow('ENOENT')
})

test('login refuses an empty key and an address that is none with 2', async () => {
  expect(await coherex(['login', server.url])).toMatchObject({ code: 2, stderr: 'coherex: No key was given\n' })
  expect(await coherex(['login', 'ftp://x', '--key', 'k'])).toMatchObject({ code: 2 })
})

test('a key is not sent where a redirect leads', async () => {
  const elsewhere = await startSmallServer(() => [200, me])
  const redirecting = await startSmallServer(() => [302, undefined, { location: `${elsewhere.url}/api/v1/me` }])
  const { code } = await coherex(['login', redirecting.url, '--key', goodKey])
  await redirecting.close()
  await elsewhere.close()
  expect(code).toBe(4)
  expect(elsewhere.calls).toEqual([])
})

test('login warns before a key goes over an open network', async () => {
  const { stderr } = await coherex(['login', 'http://coherex.invalid', '--key', goodKey])
  expect(stderr).toContain('http://coherex.invalid is not encrypted')
})

test('logout forgets the key', async () => {
  await signIn()
  expect(await coherex(['logout'])).toMatchObject({ code: 0, stdout: 'Signed out\n' })
  expect(await coherex(['members'])).toMatchObject({
    code: 3,
    stderr: 'coherex: Not signed in. Run coherex login first\n',
  })
})

test('status shows the server, its runtimes and who is asking', async () => {
  await signIn()
  const { code, stdout } = await coherex(['status'])
  expect({ code, lines: stdout.split('\n') }).toEqual({
    code: 0,
    lines: [
      `Coherex 9.9.9 at ${server.url}: ok`,
      'You: Ada <ada@example.test>, owner of Engines',
      'Runtimes:',
      '  process    unavailable: install bubblewrap',
      '',
    ],
  })
})

test('status says that the stored key is refused and ends with 3', async () => {
  await signIn()
  writeFileSync(loginFile(), JSON.stringify({ url: server.url, key: 'chx_old' }))
  const { code, stdout } = await coherex(['status'])
  expect(code).toBe(3)
  expect(stdout).toContain('the stored key is refused')
})

test('status ends with 4 when no server answers', async () => {
  await signIn()
  await server.close()
  const { code, stderr } = await coherex(['status'])
  expect({ code, stderr }).toEqual({ code: 4, stderr: `coherex: Cannot reach Coherex at ${server.url}\n` })
})

test('the environment replaces the stored login, and a stored key is not sent to another server', async () => {
  await signIn()
  const other = await startSmallServer((call) => (call.path === '/healthz' ? [200, health] : [200, me]))
  await coherex(['status'], { env: { COHEREX_URL: other.url } })
  await coherex(['status'], { env: { COHEREX_URL: other.url, COHEREX_TOKEN: 'chx_other' } })
  await other.close()
  expect(other.calls.map(({ path, key }) => [path, key])).toEqual([
    ['/healthz', undefined],
    ['/healthz', 'chx_other'],
    ['/api/v1/me', 'chx_other'],
  ])
})

test('keys list reads every page', async () => {
  await signIn()
  const { stdout } = await coherex(['keys', 'list', '--json'])
  expect(JSON.parse(stdout)).toEqual({ items: [apiKey(1), apiKey(2)] })
})

test('keys create prints the key alone on standard output', async () => {
  await signIn()
  const made = await coherex(['keys', 'create', 'ci', '--scopes', 'read,run', '--expires', '30d'])
  expect(made).toMatchObject({ code: 0, stdout: 'chx_secret\n' })
  expect(server.calls.at(-1)?.body).toMatchObject({ name: 'ci', scopes: ['read', 'run'] })
})

test('keys create refuses unknown scopes and past dates with 2', async () => {
  await signIn()
  expect(await coherex(['keys', 'create', 'ci', '--scopes', 'everything'])).toMatchObject({ code: 2 })
  expect(await coherex(['keys', 'create', 'ci', '--expires', '2001-01-01'])).toMatchObject({ code: 2 })
})

test('keys revoke revokes, and ends with 6 when there is no such key', async () => {
  await signIn()
  expect(await coherex(['keys', 'revoke', apiKey(1).id])).toMatchObject({
    code: 0,
    stdout: `Revoked ${apiKey(1).id}\n`,
  })
  expect(await coherex(['keys', 'revoke', apiKey(9).id])).toMatchObject({ code: 6 })
  expect(await coherex(['keys', 'revoke', '../me'])).toMatchObject({ code: 2 })
})

test('members and audit print tables without control characters of others', async () => {
  await signIn()
  expect((await coherex(['members'])).stdout).toBe(
    'NAME  E-MAIL            ROLE   JOINED\nAda   ada@example.test  owner  2026-11-15T10:00:00.000Z\n',
  )
  const { stdout } = await coherex(['audit', '--limit', '5', '--action', 'key'])
  expect(stdout).toContain('Eve\ufffd[31m')
  expect(server.calls.at(-1)?.path).toBe('/api/v1/audit?limit=5&action=key')
})

test('with --json an error is JSON on standard error', async () => {
  const { code, stdout, stderr } = await coherex(['members', '--json'])
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    error: { code: 'unauthenticated', message: 'Not signed in. Run coherex login first' },
  })
  const usage = await coherex(['keys', 'create', '--json'])
  expect(usage.code).toBe(2)
  expect(JSON.parse(usage.stderr)).toMatchObject({ error: { code: 'invalid_input' } })
})

test('a damaged login file is said in one line', async () => {
  await signIn()
  writeFileSync(loginFile(), 'not json')
  const { code, stderr } = await coherex(['status'])
  expect(code).toBe(2)
  expect(stderr).toBe(`coherex: Cannot read ${loginFile()}: it is damaged. Run coherex login again\n`)
})

test('--help shows examples and exit codes, an unknown command ends with 2', async () => {
  const { code, stdout } = await coherex(['--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Examples:')
  expect(stdout).toContain('Exit codes:')
  expect(await coherex(['lgin'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean login?') })
})
