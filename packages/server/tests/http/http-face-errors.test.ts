import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { allRoutes, routes } from '@coherex/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { pathOf } from '../harness/route-samples.ts'
import { createBrowser, type Browser } from '../harness/test-server.ts'

// a process of its own, because what is under test is also what it writes to its log
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const fixedKey = 'CANARY-fixed-key-of-the-environment'
let database: TestDatabase
let directory: string
let server: ChildProcess
let url: string
let owner: Browser
let ownersCookie: string
const log: string[] = []
const answers: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'coherex-errors-'))
  await chmod(directory, 0o711)
  server = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      COHEREX_DATA_DIR: directory,
      DATABASE_URL: database.url,
      COHEREX_LOG_LEVEL: 'info',
      COHEREX_WARM: 'false',
      COHEREX_TOKEN: fixedKey,
      COHEREX_REQUESTS_PER_SECOND: '100000',
    },
  })
  server.stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  if (!server.stdout) throw new Error('the server has no output')
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const [, address = '', token = ''] = /at (\S+) .*\/link\/(\S+)/.exec(line) ?? []
  url = address
  owner = createBrowser(url)
  await owner.call(routes.signIn.withLink, { body: { token } })
  await owner.fetch(`/link/${token}`, { headers: { accept: 'text/html' } })
  const body = { name: 'O', email: 'o@example.com', password: 'CANARY password', teamName: 'T' }
  await owner.call(routes.signIn.finishSetup, { body })
  await owner.call(routes.secrets.put, { params: { name: 'X' }, body: { value: 'CANARY secret value' } })
  ownersCookie = owner.cookie()
}, 60_000)

afterAll(async () => {
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'exit')
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

async function ask(path: string, init: RequestInit = {}): Promise<number> {
  const headers = { cookie: ownersCookie, origin: url, ...(init.headers as Record<string, string>) }
  const response = await fetch(url + path, { ...init, headers, redirect: 'manual' })
  // a stream of events would not end
  const text = response.headers.get('content-type')?.startsWith('text/event-stream') ? '' : await response.text()
  if (response.status >= 400) answers.push(text)
  return response.status
}

describe('whatever is sent, the server never fails', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.constantFrom(
      '\0',
      '../../etc/passwd',
      '__proto__',
      'constructor',
      '\u202e',
      '\ud800',
      '-1',
      '1e309',
      'NaN',
      '[]',
    ),
    fc.constantFrom("'; DROP TABLE x; --", '${7*7}', '%00', '%', '\\', '9'.repeat(400), '0000-00-00T00:00:00Z'),
  )
  const segment = nasty.filter((one) => one.isWellFormed() && one !== '' && one !== '.' && one !== '..')
  // these would end what the others need
  const spared = new Set<object>([routes.signIn.out, routes.teams.remove, routes.runs.create])

  test.each(
    allRoutes.filter((route) => !spared.has(route)).map((route) => [`${route.method} ${route.path}`, route] as const),
  )('%s', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...Object.keys(route.params?.shape ?? { none: 0 })), segment),
        fc.dictionary(fc.constantFrom(...Object.keys(route.query?.shape ?? {}), 'unknown'), segment, { maxKeys: 4 }),
        fc.oneof(fc.json(), fc.constant('{'), fc.constant(''), shapedLike(Object.keys(bodyShape(route)), nasty)),
        async (params, query, body) => {
          const filled = Object.fromEntries(
            Object.keys(route.params?.shape ?? {}).map((name) => [name, params[name] ?? 'x']),
          )
          const status = await ask(pathOf(route, { params: filled, query }), {
            method: route.method.toUpperCase(),
            headers: { 'content-type': 'application/json' },
            ...(route.method === 'get' ? {} : { body }),
          })
          expect(status).toBeLessThan(500)
        },
      ),
      { numRuns: 15, seed: 20261115 },
    )
  })
})

describe('when the database is away', () => {
  test('callers hear that it is, and it works again once it is back', async () => {
    const superuser = await database.superuser()
    const { rows } = await superuser.query<{ name: string }>('SELECT current_database() AS name')
    const name = rows[0]?.name ?? ''
    await superuser.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`)
    await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name],
    )
    const key = { authorization: `Bearer ${fixedKey}`, cookie: '' }
    const signIn = { email: 'o@example.com', password: 'CANARY password' }
    expect(await ask('/api/v1/me')).toBe(503)
    expect(await ask('/api/v1/team', { headers: key })).toBe(503)
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(signIn) }
    expect(await ask('/api/v1/sign-in', post)).toBe(503)
    expect(await ask('/healthz')).toBe(200)

    await superuser.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`)
    await superuser.end()
    await expect.poll(() => ask('/api/v1/me'), { timeout: 15_000 }).toBe(200)
    expect(server.exitCode).toBeNull()
  })

  test('a table that fails is our fault: a number to ask about, and not a word of why', async () => {
    const superuser = await database.superuser()
    await superuser.query('ALTER TABLE coherex.secret RENAME TO gone')
    const response = await owner.fetch('/api/v1/secrets')
    const answer = (await response.json()) as { error: { code: string; message: string } }
    await superuser.query('ALTER TABLE coherex.gone RENAME TO secret')
    await superuser.end()
    answers.push(JSON.stringify(answer))
    expect(response.status).toBe(500)
    const id = response.headers.get('x-request-id')
    expect(answer).toEqual({
      error: { code: 'internal', message: `Something went wrong on our side; the request was ${id}` },
    })
    await expect.poll(() => log.join('').includes(`"requestId":"${id}"`)).toBe(true)
  })
})

test('no answer and no line of the log holds a path, a stack, a statement, a connection string or a secret', async () => {
  const told = answers.join('\n')
  const logged = log.join('')
  expect(answers.length).toBeGreaterThan(200)
  expect(logged.split('\n').length).toBeGreaterThan(300)
  const password = new URL(database.url).password
  const secretKey = (await readFile(join(directory, 'secret.key'), 'utf8')).trim()
  const cookie = decodeURIComponent(ownersCookie.split('=')[1] ?? '').split('.')[0] ?? ''
  for (const [where, content] of [
    ['answers', told],
    ['log', logged],
  ] as const) {
    const found = [
      password,
      secretKey,
      cookie,
      fixedKey,
      'CANARY',
      process.cwd(),
      directory,
      'node_modules',
      'postgres://',
    ]
      .filter((one) => content.includes(one))
      .concat(content.match(/\b(select|insert into|update|delete from) "?\w+"?\.?.*(from|values|set|where)\b/gi) ?? [])
      .concat(content.match(/\n? +at .*:\d+:\d+/g) ?? [])
    expect([where, found.slice(0, 5)]).toEqual([where, []])
  }
})

function bodyShape(route: (typeof allRoutes)[number]): object {
  return (route.body as { shape?: object } | undefined)?.shape ?? {}
}

/** An object with the fields a route has, and values it hardly expects. */
function shapedLike(names: string[], text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const value = fc.oneof(text, fc.constantFrom('a@example.com', 'admin', 'a password of some length'), fc.jsonValue())
  return fc.dictionary(fc.constantFrom(...names, '__proto__', 'extra'), value).map((one) => JSON.stringify(one))
}
