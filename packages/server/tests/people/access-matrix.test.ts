import { allRoutes, routes, type Access, type Role, type Route, type Scope } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp, type Api } from '../../src/api/index.ts'
import { initOf, pathOf, routeSamples, routesWithoutSample, type SampleRequest } from '../harness/route-samples.ts'
import { createScene, hiddenTitle, type Scene } from '../harness/scene.ts'
import { startTestServer, type Browser, type TestPerson, type TestServer } from '../harness/test-server.ts'

/** Someone who sends requests, and what the matrix knows of them. */
interface Sender {
  /** By session, by key, or not known at all: no credential, or one that does not count. */
  via: 'session' | 'key' | 'nothing'
  role?: Role
  scopes?: Scope[]
  operator?: true
  person?: (scene: Scene) => TestPerson
  key?: (scene: Scene) => string
}

const everyScope: Scope[] = ['read', 'run', 'write', 'admin']
const senders: Record<string, Sender> = {
  nobody: { via: 'nothing' },
  viewer: { via: 'session', role: 'viewer', person: ({ people }) => people.viewer },
  editor: { via: 'session', role: 'editor', person: ({ people }) => people.editor },
  admin: { via: 'session', role: 'admin', person: ({ people }) => people.admin },
  owner: { via: 'session', role: 'owner', person: ({ people }) => people.owner },
  operator: { via: 'session', role: 'owner', operator: true, person: ({ operator }) => operator },
  'removed member': { via: 'session', person: ({ removed }) => removed },
  'key with read': { via: 'key', role: 'owner', operator: true, scopes: ['read'], key: ({ keys }) => keys.read },
  'key with run': { via: 'key', role: 'owner', operator: true, scopes: ['read', 'run'], key: ({ keys }) => keys.run },
  'key with write': {
    via: 'key',
    role: 'owner',
    operator: true,
    scopes: ['read', 'write'],
    key: ({ keys }) => keys.write,
  },
  'key with admin': { via: 'key', role: 'owner', operator: true, scopes: everyScope, key: ({ keys }) => keys.admin },
  'admin key of a viewer': { via: 'key', role: 'viewer', scopes: everyScope, key: ({ keys }) => keys.ofViewer },
  'fixed key of the operator': { via: 'key', role: 'owner', operator: true, scopes: everyScope, key: () => fixedKey },
  'key of a removed member': { via: 'nothing', key: ({ keys }) => keys.ofRemoved },
  'expired key': { via: 'nothing', key: ({ keys }) => keys.expired },
  'revoked key': { via: 'nothing', key: ({ keys }) => keys.revoked },
  'garbage key': { via: 'nothing', key: ({ keys }) => keys.garbage },
}

const fixedKey = 'a-fixed-key-from-the-environment'
let server: TestServer
let scene: Scene

beforeAll(async () => {
  server = await startTestServer({ COHEREX_TOKEN: fixedKey })
  scene = await createScene(server)
})
afterAll(() => server.stop())

/** What the rule of a route means, written a second time: the product's own reading of it is what is under test. */
function verdict(access: Access, { via, role, scopes, operator }: Sender): 'pass' | 401 | 403 {
  const rank = ['viewer', 'editor', 'admin', 'owner']
  if (access === 'anyone') return 'pass'
  if (via === 'nothing') return 401
  const holds = (scope: Scope) => via === 'session' || Boolean(scopes?.includes(scope))
  if (access === 'caller') return 'pass'
  if (access === 'person') return via === 'session' ? 'pass' : 403
  if (access === 'operator') return operator && holds('admin') ? 'pass' : 403
  if (access.by === 'session' && via !== 'session') return 403
  return role && rank.indexOf(role) >= rank.indexOf(access.role) && holds(access.scope) ? 'pass' : 403
}

async function send(sender: Sender, route: Route, request: SampleRequest, browser?: Browser): Promise<Response> {
  const init = initOf(route, request)
  if (sender.key) init.headers['authorization'] = `Bearer ${sender.key(scene)}`
  const from = browser ?? sender.person?.(scene) ?? server.browser()
  return from.fetch(pathOf(route, request), init)
}

async function freshSession(person: TestPerson): Promise<Browser> {
  const browser = server.browser()
  await browser.call(routes.signIn.withPassword, { body: { email: person.email, password: person.password } })
  return browser
}

/** Below /v1 it is in the words of OpenAI. */
function refusalOf({ path }: Route, status: 401 | 403): string {
  if (path.startsWith('/v1/')) return status === 401 ? 'invalid_api_key' : 'insufficient_permissions'
  return status === 401 ? 'unauthenticated' : 'forbidden'
}

test('every route of the contract has a row, and every row a route', () => {
  expect(routesWithoutSample(allRoutes)).toEqual([])
  expect([...routeSamples.keys()].filter((route) => !allRoutes.includes(route))).toEqual([])
})

test('a route without a row is found', () => {
  const planted: Route = { method: 'get', path: '/api/v1/planted', summary: '', tag: '', access: 'anyone' }
  expect(routesWithoutSample([...allRoutes, planted])).toEqual(['get /api/v1/planted'])
})

test('nothing is served that is not in the contract, but pages', () => {
  const rooms = { access: {}, registry: {}, agents: {}, workspaces: {}, sandboxes: {} }
  const api = { version: '', publicUrl: 'http://127.0.0.1', studioDirectory: '/', oidc: {}, ...rooms } as unknown as Api
  const served = createApp(api)
    .routes.filter(
      ({ method, path }) => method !== 'ALL' || !['/*', '/api/*', '/v1/*', '/mcp/registry/*'].includes(path),
    )
    .map(({ method, path }) => `${method.toLowerCase()} ${path}`)
  const known = allRoutes.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
  const signIns = ['/api/v1/sign-in/oidc', '/api/auth/callback/oidc', '/oauth/callback', '/oauth/client.json']
  const frames = ['worker', 'page', 'preview', 'app'].flatMap((name) => [`/runtimes/${name}`, `/runtimes/open/${name}`])
  const pages = ['get /api/docs', ...[...signIns, ...frames].map((path) => `get ${path}`), 'get *', 'get /*']
  const open = (path: string) => path.replace(/\{\[\^\]\+\}$/, '')
  expect(served.filter((one) => !known.includes(open(one)) && !pages.includes(one))).toEqual([])
  expect(known.filter((one) => !served.some((other) => open(other) === one))).toEqual([])
})

test.each(Object.entries(senders))('%s: each route answers as its rule says', async (_name, sender) => {
  const rows = await Promise.all(
    [...routeSamples].map(async ([route, sample]) => {
      const browser = sample.endsSession && sender.person ? await freshSession(sender.person(scene)) : undefined
      const response = await send(sender, route, sample.request(scene), browser)
      const expected = verdict(route.access, sender)
      const code =
        expected === 'pass' ? undefined : ((await response.json()) as { error?: { code?: string } }).error?.code
      return {
        name: `${route.method} ${route.path}`,
        got: { status: response.status, code },
        expected: {
          status: expected === 'pass' ? sample.answers : expected,
          code: expected === 'pass' ? undefined : refusalOf(route, expected),
        },
      }
    }),
  )
  const table = (column: 'got' | 'expected') => Object.fromEntries(rows.map((row) => [row.name, row[column]]))
  expect(table('got')).toEqual(table('expected'))
})

describe('another team’s things', () => {
  const naming = [...routeSamples].filter(([, sample]) => sample.elsewhere)

  test('every route that names a thing by id is tried', () => {
    const untried = allRoutes.filter((route) => route.params && !routeSamples.get(route)?.elsewhere)
    // secrets and skills are stored under their names in one's own team, whoever else uses that name: told apart below;
    // schemas and the wheels of the machine's index belong to no team, and in the registry each team finds its own server
    const shared = [
      routes.packages.wheel,
      routes.system.schema,
      routes.mcp.registryVersions,
      routes.mcp.registryVersion,
    ]
    expect(new Set(untried)).toEqual(new Set([routes.secrets.put, routes.skills.put, ...shared]))
  })

  test.each(naming.map(([route, sample]) => [`${route.method} ${route.path}`, route, sample] as const))(
    'cannot be told from what does not exist: %s',
    async (_name, route, sample) => {
      const foreign = sample.elsewhere?.foreign(scene) ?? {}
      const missing = sample.elsewhere?.missing ?? {}
      const answers = await Promise.all(
        [foreign, missing].map(async (request) => {
          const response = await send({ via: 'session', person: ({ operator }) => operator }, route, request)
          const ids = [...Object.values(request.params ?? {}), ...Object.values(request.body ?? {})].map(String)
          const body = ids.reduce((text, id) => text.replaceAll(id, '*'), await response.text())
          return { status: response.status, body, type: response.headers.get('content-type') }
        }),
      )
      expect(answers[0]?.status).toBe(404)
      expect(answers[0]).toEqual(answers[1])
    },
  )

  test('still exist after all that', async () => {
    const { stranger, theirs } = scene
    const secrets = await stranger.call(routes.secrets.list, {})
    expect(secrets.items.map((one) => one.name)).toContain(theirs.secretName)
    const invitations = await stranger.call(routes.teams.listInvitations, {})
    expect(invitations.items.map((one) => one.id)).toContain(theirs.invitationId)
    const keys = await stranger.call(routes.keys.list, {})
    expect(keys.items.map((one) => one.id)).toContain(theirs.keyId)
    expect((await stranger.call(routes.signIn.me, {})).team?.id).toBe(theirs.teamId)
  })

  test('are in no list, search or export', async () => {
    const { operator, stranger, theirs } = scene
    const lists = allRoutes.filter((route) => route.method === 'get' && route.query && 'limit' in route.query.shape)
    expect(lists.length).toBeGreaterThan(4)
    const known = [
      theirs.teamId,
      theirs.invitationId,
      theirs.keyId,
      theirs.personId,
      theirs.secretName,
      theirs.skillName,
      theirs.runId,
      theirs.workspaceId,
    ]
    for (const route of [...lists, routes.audit.export]) {
      const text = await (await operator.fetch(pathOf(route, { query: { limit: '200' } }))).text()
      expect([route.path, known.filter((one) => text.includes(one))]).toEqual([route.path, []])
    }
    const searches = [{ search: theirs.invitationId }, { search: 'theirs' }, { actorId: theirs.personId }]
    for (const query of searches) {
      expect((await operator.call(routes.audit.list, { query })).items).toEqual([])
      expect((await stranger.call(routes.audit.list, { query })).items).not.toEqual([])
    }
  })

  test('a secret of the same name is another secret', async () => {
    const { operator, stranger, theirs } = scene
    const before = await stranger.call(routes.secrets.list, {})
    await operator.call(routes.secrets.put, { params: { name: theirs.secretName }, body: { value: 'something else' } })
    expect(await stranger.call(routes.secrets.list, {})).toEqual(before)
  })

  test('a skill of the same name is another skill', async () => {
    const { operator, stranger, theirs } = scene
    const params = { name: theirs.skillName }
    const before = await stranger.call(routes.skills.get, { params })
    const files = { 'SKILL.md': `---\nname: ${theirs.skillName}\ndescription: Something else\n---\n` }
    expect(await operator.call(routes.skills.put, { params, body: { files } })).toMatchObject({ newestVersion: 1 })
    expect(await stranger.call(routes.skills.get, { params })).toEqual(before)
    await operator.call(routes.skills.remove, { params })
  })

  test('cannot be reached with a cursor of their list', async () => {
    const { operator, stranger } = scene
    await stranger.call(routes.secrets.put, { params: { name: 'AAA' }, body: { value: 'the first of theirs' } })
    const page = await stranger.call(routes.secrets.list, { query: { limit: 1 } })
    const seen = await operator.call(routes.secrets.list, { query: { cursor: page.nextCursor ?? '' } })
    expect(seen.items.map((one) => one.name)).not.toContain('AAA')
  })
})

describe('another person’s private thread', () => {
  const others = [
    'viewer',
    'editor',
    'admin',
    'owner',
    'operator',
    'key with admin',
    'fixed key of the operator',
  ] as const
  /** Routes that name something of a thread: they are asked for what belongs to the private one. */
  const naming = () => {
    const { threadId, turnId, approvalId, runId, sandboxId, attachmentId, artifactId } = scene.hidden
    const ids = [threadId, turnId, approvalId, runId, sandboxId, attachmentId, artifactId]
    return [...routeSamples].flatMap(([route, { elsewhere }]) => {
      const request = elsewhere?.foreign({ ...scene, theirs: scene.hidden })
      const isOfThread = Object.values(request?.params ?? {}).some((one) => ids.includes(one))
      return request && elsewhere && isOfThread ? [{ route, request, missing: elsewhere.missing }] : []
    })
  }

  test('every route of a thread, its turns, runs, sandboxes and approvals is tried', () => {
    const tried = new Set(naming().map(({ route }) => route))
    const named = allRoutes.filter(({ path }) =>
      /^\/api\/v1\/(threads|turns|runs|sandboxes|approvals|attachments|artifacts)\/\{/.test(path),
    )
    expect(named.filter((route) => !tried.has(route))).toEqual([])
    expect(tried.size).toBeGreaterThan(30)
  })

  test.each([...others, 'stranger' as const])('cannot be told from none by %s', async (name) => {
    const sender: Sender =
      name === 'stranger'
        ? { via: 'session', role: 'owner', person: ({ stranger }) => stranger }
        : (senders[name] ?? { via: 'nothing' })
    for (const { route, request, missing } of naming()) {
      const answers = await Promise.all(
        [request, missing].map(async (one) => {
          const response = await send(sender, route, one)
          const ids = Object.values(one.params ?? {})
          return {
            status: response.status,
            body: ids.reduce((text, id) => text.replaceAll(id, '*'), await response.text()),
          }
        }),
      )
      const verdictOf = verdict(route.access, sender)
      expect([route.path, answers[0]?.status]).toEqual([route.path, verdictOf === 'pass' ? 404 : verdictOf])
      expect(answers[0]).toEqual(answers[1])
    }
  })

  test('is in no list, search or export of others; admins can list that it is there', async () => {
    const { operator, people, author, hidden } = scene
    const known = [
      ...[hidden.threadId, hidden.turnId, hidden.approvalId, hidden.sandboxId, hidden.artifactId, hiddenTitle],
    ]
    const lists = allRoutes.filter((route) => route.method === 'get' && route.query && 'limit' in route.query.shape)
    for (const person of [operator, people.admin, people.editor, people.viewer]) {
      for (const route of [...lists, routes.executions.export]) {
        const isSearch = route === routes.search.find
        const query: Record<string, string> = isSearch ? { limit: '50', q: hiddenTitle } : { limit: '200' }
        const answer = await person.fetch(pathOf(route, { query }))
        if (isSearch) expect(answer.status).toBe(200)
        const text = await answer.text()
        // the log tells admins that a run was begun, and not for which thread
        const secret = route.path.includes('/audit') ? known : [...known, hidden.runId]
        expect([route.path, secret.filter((one) => text.includes(one))]).toEqual([route.path, []])
      }
      const { items } = await person.call(routes.threads.list, { query: { search: 'nobody else' } })
      expect(items).toEqual([])
    }
    const found = await author.call(routes.search.find, { query: { q: hiddenTitle } })
    expect(found.items.map(({ id }) => id)).toContain(hidden.threadId)
    const query = { reach: 'private' as const }
    expect((await people.editor.call(routes.threads.list, { query })).items).toEqual([])
    const { items } = await people.admin.call(routes.threads.list, { query })
    expect(items).toMatchObject([
      { id: hidden.threadId, isHidden: true, title: '', createdBy: { id: hidden.personId }, use: { costUsd: 0 } },
    ])
    expect((await author.call(routes.threads.list, { query })).items).toMatchObject([{ title: hiddenTitle }])
  })

  test('is still there for its author, by session and by a key of theirs', async () => {
    const { author, hidden } = scene
    const params = { id: hidden.threadId }
    expect(await author.call(routes.threads.get, { params })).toMatchObject({ title: hiddenTitle, reach: 'private' })
    const { key } = await author.call(routes.keys.create, { body: { name: 'mine', scopes: ['read'] } })
    expect(await server.withKey(key)(routes.threads.get, { params })).toMatchObject({ title: hiddenTitle })
    expect(await author.call(routes.runs.get, { params: { id: hidden.runId } })).toMatchObject({ status: 'succeeded' })
    expect(await author.call(routes.sandboxes.get, { params: { id: hidden.sandboxId } })).toMatchObject({
      threadId: hidden.threadId,
    })
  })
})

describe('rules inside a route', () => {
  test('removing: everyone may leave, others are removed by an admin of at least their rank', async () => {
    const { people, operator } = scene
    const victim = await server.invite(operator, 'viewer')
    const params = { personId: victim.me.person.id }
    for (const role of ['viewer', 'editor'] as const) {
      await expect(people[role].call(routes.teams.removeMember, { params })).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    const owner = { personId: people.owner.me.person.id }
    await expect(people.admin.call(routes.teams.removeMember, { params: owner })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await victim.call(routes.teams.removeMember, { params })
    await expect(victim.call(routes.teams.current, {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('roles: nobody gives or takes more than they have', async () => {
    const { people, operator } = scene
    const params = { personId: people.admin.me.person.id }
    await expect(people.admin.call(routes.teams.changeRole, { params, body: { role: 'owner' } })).rejects.toMatchObject(
      { code: 'forbidden' },
    )
    await expect(
      people.admin.call(routes.teams.changeRole, {
        params: { personId: operator.me.person.id },
        body: { role: 'viewer' },
      }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('keys: a viewer sees and revokes their own, an admin everyone’s', async () => {
    const { people } = scene
    const { id } = await people.editor.call(routes.keys.create, { body: { name: 'editor’s', scopes: ['read'] } })
    const seen = await people.viewer.call(routes.keys.list, { query: { limit: 200 } })
    expect(seen.items.every((one) => one.createdBy.id === people.viewer.me.person.id)).toBe(true)
    await expect(people.viewer.call(routes.keys.revoke, { params: { id } })).rejects.toMatchObject({
      code: 'not_found',
    })
    await people.admin.call(routes.keys.revoke, { params: { id } })
  })

  test('reset links: not for operators, not for owners by an admin, not for those in other teams', async () => {
    const { people, operator } = scene
    for (const personId of [operator.me.person.id, people.owner.me.person.id]) {
      await expect(people.admin.call(routes.signIn.resetMember, { params: { personId } })).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
  })

  test('invitations: one for a known person takes that person’s own session, a key will not do', async () => {
    const { operator, people, stranger, theirs } = scene
    const { link } = await stranger.call(routes.teams.invite, { body: { email: people.editor.email, role: 'viewer' } })
    const token = link?.split('/').at(-1) ?? ''
    const { key } = await people.editor.call(routes.keys.create, { body: { name: 'all', scopes: ['admin'] } })
    for (const attempt of [server.browser().call, operator.call, server.withKey(key)]) {
      await expect(attempt(routes.teams.acceptInvitation, { body: { token } })).rejects.toMatchObject({
        code: 'unauthenticated',
      })
    }
    const me = await people.editor.call(routes.teams.acceptInvitation, { body: { token } })
    expect(me.teams.map((one) => one.id)).toContain(theirs.teamId)
    // the key stays in the team it was made in
    expect((await server.withKey(key)(routes.signIn.me, {})).teams.map((one) => one.id)).not.toContain(theirs.teamId)
  })

  test('invitations of someone who was removed or lost the right are withdrawn', async () => {
    const { operator } = scene
    const admin = await server.invite(operator, 'admin')
    const second = await server.invite(operator, 'owner')
    const invite = async (who: TestPerson, role: Role) => {
      const { link } = await who.call(routes.teams.invite, { body: { email: `back${scene.next()}@example.com`, role } })
      return link?.split('/').at(-1) ?? ''
    }
    const byAdmin = await invite(admin, 'admin')
    const asOwner = await invite(second, 'owner')
    const asViewer = await invite(second, 'viewer')
    await operator.call(routes.teams.removeMember, { params: { personId: admin.me.person.id } })
    await operator.call(routes.teams.changeRole, { params: { personId: second.me.person.id }, body: { role: 'admin' } })
    const preview = (token: string) => server.browser().call(routes.teams.previewInvitation, { body: { token } })
    await expect(preview(byAdmin)).rejects.toMatchObject({ code: 'not_found' })
    await expect(preview(asOwner)).rejects.toMatchObject({ code: 'not_found' })
    expect(await preview(asViewer)).toMatchObject({ role: 'viewer' })
  })

  test('a team is deleted by an owner who gives its name, and its people and keys are out', async () => {
    const { operator } = scene
    const owner = await server.invite(operator, 'viewer')
    const team = await owner.call(routes.teams.create, { body: { name: 'Short-lived' } })
    await owner.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
    const { key } = await owner.call(routes.keys.create, { body: { name: 'key', scopes: ['read'] } })
    await owner.call(routes.teams.remove, { query: { name: 'Short-lived' } })
    await expect(server.withKey(key)(routes.teams.current, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    expect((await owner.call(routes.signIn.me, {})).team?.id).toBe(scene.ours.teamId)
  })
})
