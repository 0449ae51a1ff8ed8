import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { allRoutes, routes, type Route } from '@coherex/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { initOf, pathOf, routeSamples } from '../harness/route-samples.ts'
import { createScene, type Scene } from '../harness/scene.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let scene: Scene
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  scene = await createScene(server)
  owner = scene.operator
})
afterAll(() => server.stop())
afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
})

const changing = allRoutes.filter((route) => route.method !== 'get')
const json = { 'content-type': 'application/json' }

/** A request below `fetch`, which neither sets headers of its own nor forbids any. */
async function raw(options: {
  path: string
  method?: string
  headers?: Record<string, string>
  write?: (stream: NodeJS.WritableStream) => void
}): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const { path, method = 'GET', headers = {} } = options
    const outgoing = httpRequest({ hostname, port, path, method, headers }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    outgoing.on('error', reject)
    if (options.write) options.write(outgoing)
    else outgoing.end()
  })
}

/** Bytes to the server, and what it answers until it closes. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    text(socket).then(resolve, () => resolve(''))
  })
}

describe('requests that another site makes a browser send', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://localhost.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]

  test('change nothing on any route, whatever they claim', async () => {
    const answers = await Promise.all(
      changing.flatMap((route) =>
        foreign.map(async (extra) => {
          const sample = routeSamples.get(route)?.request(scene) ?? {}
          const init = initOf(route, sample)
          const { status } = await owner.fetch(pathOf(route, sample), {
            ...init,
            headers: { ...init.headers, ...extra },
          })
          return `${route.method} ${route.path} ${JSON.stringify(extra)} ${status}`
        }),
      ),
    )
    expect(answers.filter((one) => !one.endsWith(' 403'))).toEqual([])
    expect((await owner.fetch('/api/v1/me')).status).toBe(200)
  })

  test('a session without an Origin changes nothing on any route; a key needs none', async () => {
    const { key } = await owner.call(routes.keys.create, { body: { name: 'program', scopes: ['read'] } })
    const send = async (headers: Record<string, string>, route: Route) => {
      const sample = routeSamples.get(route)?.request(scene) ?? {}
      const init = initOf(route, sample)
      const response = await fetch(server.url + pathOf(route, sample), {
        ...init,
        headers: { ...init.headers, ...headers },
      })
      return `${response.status} ${((await response.json()) as { error: { message: string } }).error.message}`
    }
    const refused = '403 Requests from other sites are refused'
    for (const route of changing) {
      expect([route.path, await send({ cookie: owner.cookie() }, route)]).toEqual([route.path, refused])
    }
    const authorization = `Bearer ${key}`
    expect(await send({ authorization }, routes.teams.rename)).not.toBe(refused)
    expect(await send({ authorization, cookie: owner.cookie() }, routes.teams.rename)).not.toBe(refused)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '', 'text/json'])(
    'a form of type "%s" is no JSON',
    async (type) => {
      const body = JSON.stringify({ name: 'By a form' })
      const { status } = await owner.fetch('/api/v1/teams', { method: 'POST', headers: { 'content-type': type }, body })
      expect(status).toBe(400)
    },
  )

  test('a body that pretends to be an upload is data and nothing else', async () => {
    const files = { f: { filepath: '/etc/passwd', path: '/etc/passwd' } }
    const response = await owner.fetch('/api/v1/teams', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'x', files }),
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: {
          code: 'invalid_input',
          message: 'files: there is no such field',
          details: [{ field: 'files', message: 'there is no such field' }],
        },
      },
    ])
  })

  test('a method cannot be overridden', async () => {
    for (const headers of [{ 'x-http-method-override': 'DELETE' }, { 'x-method-override': 'DELETE' }]) {
      const response = await owner.fetch('/api/v1/team?_method=DELETE&name=First%20team', { headers })
      expect([response.status, ((await response.json()) as { name: string }).name]).toEqual([200, 'First team'])
    }
  })

  test('GET changes nothing', async () => {
    // moved from one to the other when nobody has used a workspace for a while
    const ofUpdates = ['update', 'snapshot', 'log'].map((name) => `coherex.workspace_${name}`)
    const count = async () => {
      const superuser = await server.database.superuser()
      const { rows } = await superuser.query<{ name: string }>(
        `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('coherex_auth', 'coherex') ORDER BY 1`,
      )
      const counts: Record<string, number> = {}
      const add = async (name: string, from: string, what = 'count(*)') => {
        const [row] = (await superuser.query<{ count: number }>(`SELECT ${what}::int AS count FROM ${from}`)).rows
        counts[name] = row?.count ?? 0
      }
      for (const { name } of rows) if (!ofUpdates.includes(name)) await add(name, name)
      await add(
        'the last update of each workspace',
        `(SELECT max(seq) AS seq FROM (SELECT workspace_id, seq FROM coherex.workspace_update
          UNION ALL SELECT workspace_id, seq FROM coherex.workspace_snapshot
          UNION ALL SELECT workspace_id, last_seq FROM coherex.workspace_log) AS updates GROUP BY workspace_id) AS lasts`,
        'sum(seq)',
      )
      await superuser.end()
      return counts
    }
    const before = await count()
    for (const route of allRoutes.filter((one) => one.method === 'get')) {
      const response = await owner.fetch(pathOf(route, routeSamples.get(route)?.request(scene) ?? {}))
      await response.text()
    }
    expect(await count()).toEqual(before)
  })

  test('no answer may be read by another site', async () => {
    const origins = ['https://evil.example', 'null', server.url.replace('127.0.0.1', 'app.evil.example')]
    for (const origin of origins) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await owner.fetch('/api/v1/me', {
          method,
          headers: { origin, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x' },
        })
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    }
  })

  test('another host name is refused everywhere, pages included', async () => {
    for (const host of ['evil.example', `127.0.0.1.nip.io:${new URL(server.url).port}`]) {
      for (const path of ['/', '/api/v1/me', '/healthz', '/api/docs']) {
        const { status } = await raw({ path, headers: { host, accept: 'text/html' } })
        expect([path, host, status]).toEqual([path, host, 403])
      }
    }
    for (const request of [
      'GET /healthz HTTP/1.0\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n',
    ]) {
      expect(await exchange(request)).toMatch(/^HTTP\/1\.1 40[03] /)
    }
    const spoofed = { host: 'evil.example', 'x-forwarded-host': new URL(server.url).host }
    expect((await raw({ path: '/healthz', headers: spoofed })).status).toBe(403)
  })
})

describe('what is sent', () => {
  const post = (body: string) => owner.fetch('/api/v1/teams', { method: 'POST', headers: json, body })

  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a number', '1'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a NUL', '{"name":"a\\u0000b"}'],
    ['deep nesting', '['.repeat(100_000)],
    ['another type', '{"name":{}}'],
    ['prototype keys', '{"__proto__":{"isAdmin":true},"name":"x"}'],
    ['constructor keys', '{"constructor":{"prototype":{"isAdmin":true}},"name":"x"}'],
  ])('%s is the caller’s mistake', async (_, body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_input' } })
  })

  test('a thousand unknown fields are answered briefly', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${'field'.repeat(200)}${at}`, 1]))
    const answer = await (await post(JSON.stringify({ name: 'x', ...many }))).text()
    expect(answer.length).toBeLessThan(20_000)
    expect(JSON.parse(answer)).toMatchObject({ error: { details: { length: 20 } } })
  })

  test('more than 10 MB is too large, with a length and without one', async () => {
    const big = JSON.stringify({ name: 'x'.repeat(11 * 1024 * 1024) })
    const said = await post(big)
    expect([said.status, await said.json()]).toMatchObject([413, { error: { code: 'too_large' } }])
    const headers = { ...json, ...owner.socketHeaders(), 'transfer-encoding': 'chunked' }
    const chunked = await raw({
      path: '/api/v1/teams',
      method: 'POST',
      headers,
      write: (stream) => {
        stream.on('error', () => undefined)
        stream.write(big)
        stream.end()
      },
    })
    expect([chunked.status, JSON.parse(chunked.body)]).toMatchObject([413, { error: { code: 'too_large' } }])
    const lying = await raw({
      path: '/api/v1/teams',
      method: 'POST',
      headers: { ...json, ...owner.socketHeaders(), 'content-length': String(2 ** 40) },
      write: (stream) => stream.write('{'),
    })
    expect(lying.status).toBe(413)
    expect((await owner.fetch('/api/v1/me')).status).toBe(200)
  })

  test('just under 10 MB is read', async () => {
    const response = await post(JSON.stringify({ name: 'x'.repeat(9 * 1024 * 1024) }))
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'invalid_input',
    ])
  })

  test('headers beyond measure are refused without a word of ours', async () => {
    const answer = await exchange(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`)
    expect(answer).toBe('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n')
  })

  test('bytes that are no HTTP end the connection, and the server goes on', async () => {
    for (const bytes of ['\x16\x03\x01\x02\x00\x01', 'GET / HTTP/9.9\r\n\r\n', 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n']) {
      expect(await exchange(bytes)).not.toMatch(/node_modules|\.ts|at /)
    }
    expect((await owner.fetch('/healthz')).status).toBe(200)
  })

  test.each(['NaN', '-0', '0', '-1', '1e309', '9007199254740993', '1000000000', '201', '1.5', 'abc', '', '[]', 'null'])(
    'limit=%s is refused',
    async (limit) => {
      const lists = allRoutes.filter((route) => route.query && 'limit' in route.query.shape)
      const statuses = await Promise.all(
        lists.map(async ({ path }) => (await owner.fetch(`${path}?limit=${encodeURIComponent(limit)}`)).status),
      )
      expect(statuses).toEqual(lists.map(() => 400))
    },
  )

  test('a cursor that no list gave is refused', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const cursors = [
      'x',
      encode({}),
      encode([1]),
      encode(['\0']),
      encode(['a', 'b', 'c']),
      encode(['1', 'x']),
      encode(['0000-00-00T00:00:00.000000Z', 'x']),
      encode(['2026-13-45T99:99:99.000000Z', 'x']),
      encode(["'; DROP TABLE coherex.team; --", "'"]),
    ]
    for (const route of allRoutes.filter((one) => one.query && 'cursor' in one.query.shape)) {
      for (const cursor of cursors) {
        const { status } = await owner.fetch(`${route.path}?cursor=${cursor}`)
        expect([route.path, cursor, status === 400 || status === 200]).toEqual([route.path, cursor, true])
      }
      expect((await owner.fetch(`${route.path}?cursor=${cursors[0]}`)).status).toBe(400)
    }
  })

  test.each(["' OR 1=1 --", '%', '_x_', '\\', '{{7*7}}', '${7*7}', '$.**', "'); SELECT pg_sleep(50); --"])(
    'search and filters take %s as text',
    async (search) => {
      const started = performance.now()
      for (const name of ['search', 'action', 'actorId']) {
        const response = await owner.fetch(`/api/v1/audit?${name}=${encodeURIComponent(search)}`)
        expect([response.status, await response.json()]).toEqual([200, { items: [], nextCursor: null }])
      }
      expect(performance.now() - started).toBeLessThan(45_000)
    },
  )

  test('a path is not left by any parameter of one', async () => {
    const values = ['../../etc/passwd', '..%2f..%2fetc%2fpasswd', '%252e%252e%252f', '..\\..\\x', '/etc/passwd']
    values.push('a\0b', '．．／', '%E0%A4%A', `${'a'.repeat(4096)}`, 'file:///etc/passwd')
    const ask = async (route: Route, value: string) => {
      const params = Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((name) => [name, value]))
      const sample = routeSamples.get(route)?.request(scene) ?? {}
      const response = await owner.fetch(pathOf(route, { ...sample, params }), initOf(route, sample))
      expect([route.path, value, [400, 404].includes(response.status)]).toEqual([route.path, value, true])
      expect(await response.text()).not.toContain('root:')
    }
    for (const route of allRoutes.filter((one) => one.params)) {
      await Promise.all(values.map((value) => ask(route, value)))
    }
  })

  test('query names of prototypes do nothing', async () => {
    const query = '?__proto__[isAdmin]=1&__proto__=1&constructor[prototype][isAdmin]=1&a[__proto__][x]=1'
    expect((await owner.fetch(`/api/v1/members${query}`)).status).toBe(200)
  })
})

describe('what is answered', () => {
  test('lists give every item once, over many pages, whatever the size of a page', async () => {
    const superuser = await server.database.superuser()
    const teamId = scene.ours.teamId
    // all of one moment, and in no order: where a page could end between equals
    await superuser.query(
      `INSERT INTO coherex.audit_event (team_id, id, at, actor_kind, actor_name, action)
       SELECT $1, 'aud_' || substr(md5(n::text), 1, 26), timestamptz '2026-01-01 00:00:00.5' + (n % 7) * interval '1 microsecond', 'system', 'Bulk', 'bulk.test'
       FROM generate_series(1, 450) AS n`,
      [teamId],
    )
    await superuser.query(
      `INSERT INTO coherex.secret (team_id, id, name, hint, sealed, updated_by)
       SELECT $1, 'sec_' || substr(md5(n::text), 1, 26), 'BULK_' || n, '', '', 'Bulk' FROM generate_series(1, 450) AS n`,
      [teamId],
    )
    await superuser.end()
    const walk = async (path: string, limit: number) => {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const response = await owner.fetch(`${path}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
        const page = (await response.json()) as { items: { id: string }[]; nextCursor: string | null }
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...page.items.map((one) => one.id))
        cursor = page.nextCursor
      } while (cursor)
      return seen
    }
    for (const limit of [200, 50, 33]) {
      const events = await walk('/api/v1/audit?action=bulk&', limit)
      expect([events.length, new Set(events).size]).toEqual([450, 450])
      const secrets = await walk('/api/v1/secrets?', limit)
      expect(secrets.length).toBeGreaterThan(450)
      expect(new Set(secrets).size).toBe(secrets.length)
    }
  })

  test('large answers come compressed, small ones as they are', async () => {
    const fetchRaw = async (path: string, encoding: string) => {
      const { hostname, port } = new URL(server.url)
      return new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
        const headers = { cookie: owner.cookie(), 'accept-encoding': encoding }
        const outgoing = httpRequest({ hostname, port, path, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
        })
        outgoing.on('error', reject)
        outgoing.end()
      })
    }
    for (const path of ['/api/v1/openapi.json', '/api/v1/audit?limit=200', '/api/v1/audit/export', '/api/docs']) {
      const plain = await fetchRaw(path, 'identity')
      expect([path, plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
        path,
        undefined,
        'accept-encoding',
      ])
      for (const [encoding, open] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await fetchRaw(path, encoding)
        expect([path, packed.headers['content-encoding']]).toEqual([path, encoding])
        expect(open(packed.body).equals(plain.body)).toBe(true)
        expect(packed.body.length).toBeLessThan(plain.body.length / 2)
      }
    }
    const small = await fetchRaw('/healthz', 'br, gzip')
    expect(small.headers['content-encoding']).toBeUndefined()
    expect((await fetchRaw('/api/v1/team', 'br, gzip')).headers['content-encoding']).toBeUndefined()
  })

  test('every kind of answer has the headers that keep browsers strict', async () => {
    const kinds: Record<string, () => Promise<Response>> = {
      answer: () => owner.fetch('/api/v1/me'),
      nothing: () => owner.fetch('/api/v1/nothing'),
      refused: () => server.browser().fetch('/api/v1/me'),
      'wrong input': () => owner.fetch('/api/v1/audit?limit=x'),
      'foreign site': () =>
        owner.fetch('/api/v1/teams', { method: 'POST', headers: { origin: 'https://evil.example' } }),
      empty: () =>
        owner.fetch('/api/v1/password/forgot', { method: 'POST', headers: json, body: '{"email":"a@b.cd"}' }),
      file: () => owner.fetch('/api/v1/audit/export'),
      'run file': () => owner.fetch(`/api/v1/runs/${scene.ours.runId}/files/kept.txt`),
      health: () => owner.fetch('/healthz'),
      docs: () => owner.fetch('/api/docs'),
      head: () => owner.fetch('/api/v1/me', { method: 'HEAD' }),
      page: () => owner.fetch('/', { headers: { accept: 'text/html' } }),
      'no page': () => owner.fetch('/assets/none.js'),
    }
    for (const [kind, ask] of Object.entries(kinds)) {
      const { headers } = await ask()
      const csp = headers.get('content-security-policy') ?? ''
      expect({
        kind,
        nosniff: headers.get('x-content-type-options'),
        frame: headers.get('x-frame-options'),
        referrer: headers.get('referrer-policy'),
        opener: headers.get('cross-origin-opener-policy'),
        resource: headers.get('cross-origin-resource-policy'),
        strict: ["default-src 'none'", "script-src 'self';", "base-uri 'none'", "frame-ancestors 'none'"].filter(
          (one) => !csp.includes(one),
        ),
        powered: headers.get('x-powered-by') ?? headers.get('server'),
        requestId: headers.get('x-request-id')?.length,
      }).toEqual({
        kind,
        nosniff: 'nosniff',
        frame: 'DENY',
        referrer: 'no-referrer',
        opener: 'same-origin',
        resource: 'same-origin',
        strict: [],
        powered: null,
        requestId: 36,
      })
    }
    expect((await owner.fetch('/api/v1/me')).headers.get('cache-control')).toBe('no-store')
  })

  test('an error is a code and a sentence, the same for what is not there', async () => {
    const nothing = await owner.fetch('/api/v1/nothing')
    expect([nothing.status, await nothing.json()]).toEqual([
      404,
      { error: { code: 'not_found', message: 'There is nothing at this address' } },
    ])
  })

  test('a method that an address does not take is told apart from an address that is not there', async () => {
    const refusal = async (method: string, path: string, init: RequestInit = {}) => {
      const response = await server.browser().fetch(path, { method, ...init })
      const text = await response.text()
      return [response.status, response.headers.get('allow'), method === 'HEAD' ? '' : JSON.parse(text)]
    }
    const refused = (method: string, allow: string) => [
      405,
      allow,
      { error: { code: 'method_not_allowed', message: `Cannot use ${method} at this address: allowed are ${allow}` } },
    ]
    expect(await refusal('DELETE', '/healthz')).toEqual(refused('DELETE', 'GET, HEAD'))
    expect(await refusal('PUT', '/api/v1/runs')).toEqual(refused('PUT', 'GET, HEAD, POST'))
    expect(await refusal('OPTIONS', '/api/v1/runs')).toEqual(refused('OPTIONS', 'GET, HEAD, POST'))
    expect(await refusal('GET', '/hooks/some')).toEqual(refused('GET', 'POST'))
    expect(await refusal('GET', '/hooks/some', { headers: { accept: 'text/html' } })).toEqual(refused('GET', 'POST'))
    expect(await refusal('HEAD', '/v1/chat/completions')).toEqual([405, 'POST', ''])
    expect(await refusal('POST', '/api/docs')).toEqual(refused('POST', 'GET, HEAD'))
    // the path of a file has slashes of its own
    const file = '/api/v1/workspaces/w_1/files/a/b.txt'
    expect(await refusal('POST', file)).toEqual(refused('POST', 'GET, HEAD, PUT, DELETE'))

    const nothing = [404, null, { error: { code: 'not_found', message: 'There is nothing at this address' } }]
    for (const path of ['/api/v1/nothing', '/api/v1/runs/', '/api', '/nothing', '/'])
      expect([path, await refusal('DELETE', path)]).toEqual([path, nothing])
  })

  test('every address of the contract says which methods it takes', async () => {
    const paths = new Map<string, string[]>()
    for (const { method, path } of allRoutes) paths.set(path, [...(paths.get(path) ?? []), method.toUpperCase()])
    for (const [path, methods] of paths) {
      const response = await server.browser().fetch(path.replaceAll(/\{\w+\}/g, 'x'), { method: 'OPTIONS' })
      const allow = response.headers.get('allow')?.split(', ') ?? []
      expect([path, response.status, methods.filter((method) => !allow.includes(method))]).toEqual([path, 405, []])
    }
  })

  test('names are told as they are, as data: no answer with one is a page', async () => {
    const name = '<img src=x onerror=alert(1)>'
    await owner.call(routes.teams.rename, { body: { name } })
    const response = await owner.fetch('/api/v1/team')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ name })
    const page = await (await owner.fetch('/', { headers: { accept: 'text/html' } })).text()
    expect(page).not.toContain('onerror')
    await owner.call(routes.teams.rename, { body: { name: 'First team' } })
  })
})
