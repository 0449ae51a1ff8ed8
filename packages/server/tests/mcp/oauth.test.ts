import { createHash, randomBytes } from 'node:crypto'
import { routes, type ConsentRequest, type Scope } from '@coherex/contract'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KeptAuth, redirectUrl } from '../harness/outside/kept-auth.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const open = (auth: KeptAuth) => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.url), { authProvider: auth })
  return { client, transport }
}
const requestOf = (url: URL) => Object.fromEntries(url.searchParams) as unknown as ConsentRequest

/** Has a person decide what the official client sent them to, and lets it go on. */
async function letIn(person: TestPerson, scopes: Scope[]): Promise<{ auth: KeptAuth; client: Client; back: URL }> {
  const auth = new KeptAuth()
  const { client, transport } = open(auth)
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
  const asked = auth.asked as URL
  expect(`${asked.origin}${asked.pathname}`).toBe(`${server.url}/oauth/authorize`)
  const { redirectTo } = await person.call(routes.oauth.decide, {
    body: { decision: 'grant', request: requestOf(asked), teamId: person.me.team?.id ?? '', scopes },
  })
  const back = new URL(redirectTo)
  await transport.finishAuth(back.searchParams)
  const next = open(auth)
  await next.client.connect(next.transport)
  return { auth, client: next.client, back }
}

const post = (path: string, form: Record<string, string>) =>
  fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) })

test('the official client registers, a person chooses a team and scopes, and the client calls tools within them', async () => {
  const auth = new KeptAuth()
  const first = open(auth)
  await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError)
  const described = await owner.call(routes.oauth.describe, { query: requestOf(auth.asked as URL) })
  expect(described).toEqual({
    client: { name: 'Test application', site: null },
    redirectsTo: '127.0.0.1:51234',
    scopes: ['read', 'run', 'write'],
    teams: [{ id: owner.me.team?.id, name: 'First team', role: 'owner' }],
  })

  const { client, back, auth: kept } = await letIn(owner, ['read'])
  expect(back.searchParams.get('iss')).toBe(server.url)
  expect(back.searchParams.get('state')).toBe('a state of the application')
  expect(kept.kept).toMatchObject({ token_type: 'Bearer', expires_in: 1800, scope: 'read' })
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('list_workspaces')
  expect(names).not.toContain('run_code')
  const listed = await client.callTool({ name: 'list_workspaces', arguments: {} })
  expect(listed.isError).toBeFalsy()

  const { items } = await owner.call(routes.mcp.clients, {})
  expect(items).toMatchObject([{ name: 'Test application', scopes: ['read'], grantedBy: { name: 'Olga Owner' } }])
  await owner.call(routes.mcp.revokeClient, { params: { id: items[0]?.id ?? '' } })
  const used = { authorization: `Bearer ${kept.kept?.access_token}`, 'content-type': 'application/json' }
  expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers: used, body: '{}' })).status).toBe(401)
  expect((await owner.call(routes.mcp.clients, {})).items).toEqual([])
  await client.close()
})

test('a token is for /mcp alone, within the role that its person has now', async () => {
  const viewer = await server.invite(owner, 'editor')
  const { auth, client } = await letIn(viewer, ['read', 'run', 'write'])
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_code')
  const headers = { authorization: `Bearer ${auth.kept?.access_token}` }
  for (const path of ['/api/v1/me', '/api/v1/runs', '/v1/models', '/api/v1/mcp'])
    expect((await fetch(server.url + path, { headers })).status, path).toBe(401)
  const { id } = viewer.me.person
  await owner.call(routes.teams.changeRole, { params: { personId: id }, body: { role: 'viewer' } })
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('run_code')
  await owner.call(routes.teams.removeMember, { params: { personId: id } })
  expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(401)
})

async function changeClient(query: string): Promise<unknown[]> {
  const superuser = await server.database.superuser()
  try {
    return (await superuser.query<Record<string, unknown>>(query)).rows
  } finally {
    await superuser.end()
  }
}

test('refresh tokens are used once: one that comes again ends the grant', async () => {
  const { auth, client } = await letIn(owner, ['read'])
  await client.close()
  const clientId = auth.clientInformation()?.client_id ?? ''
  const renew = (token: string) =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  const before = auth.kept?.refresh_token ?? ''
  await changeClient(`UPDATE coherex_auth.oauth_client SET used_at = now() - interval '20 days'`)
  expect(
    (await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: before, client_id: 'x' })).status,
  ).toBe(400)
  const renewed = (await (await renew(before)).json()) as { refresh_token: string; access_token: string }
  expect(renewed.refresh_token).not.toBe(before)
  // a client that renews is one in use
  expect(
    await changeClient(`SELECT used_at > now() - interval '1 minute' AS used FROM coherex_auth.oauth_client
      WHERE id = '${clientId}'`),
  ).toEqual([{ used: true }])
  const call = () =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${renewed.access_token}`, 'content-type': 'application/json' },
      body: '[]',
    })
  expect((await call()).status).toBe(400)
  expect(await (await renew(before)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await call()).status).toBe(401)
  expect((await renew(renewed.refresh_token)).status).toBe(400)
})

test.each(['access_token', 'refresh_token'] as const)(
  'a client that revokes its %s ends all that was granted',
  async (kind) => {
    const { auth, client } = await letIn(owner, ['read'])
    await client.close()
    const token = auth.kept?.access_token ?? ''
    const call = () =>
      fetch(`${server.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '[]' })
    // of one that nobody knows nothing is told
    expect((await post('/oauth/revoke', { token: 'cht_nothing' })).status).toBe(200)
    expect((await call()).status).toBe(400)
    const { revocation_endpoint: endpoint } = (await (
      await fetch(`${server.url}/.well-known/oauth-authorization-server`)
    ).json()) as { revocation_endpoint: string }
    expect(endpoint).toBe(`${server.url}/oauth/revoke`)
    const answer = await post('/oauth/revoke', { token: auth.kept?.[kind] ?? '', token_type_hint: kind })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect((await call()).status).toBe(401)
    const form = { grant_type: 'refresh_token', refresh_token: auth.kept?.refresh_token ?? '' }
    const renewed = await post('/oauth/token', { ...form, client_id: auth.clientInformation()?.client_id ?? '' })
    expect(await renewed.json()).toMatchObject({ error: 'invalid_grant' })
    const { items } = await owner.call(routes.audit.list, { query: { limit: 5 } })
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'oauth.end', details: { why: 'the client revoked it' } }),
    )
  },
)

test('a code needs its client, its address and its verifier, and works once', async () => {
  const registered = (await (
    await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [redirectUrl] }),
    })
  ).json()) as { client_id: string }
  const verifier = randomBytes(32).toString('base64url')
  const request = {
    client_id: registered.client_id,
    redirect_uri: redirectUrl,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${server.url}/mcp`,
  }
  const decide = (changed: Partial<ConsentRequest> = {}, teamId = owner.me.team?.id ?? '') =>
    owner.call(routes.oauth.decide, {
      body: { decision: 'grant', request: { ...request, ...changed }, teamId, scopes: ['read'] },
    })
  for (const [changed, why] of [
    [{ redirect_uri: 'https://evil.example/' }, 'redirect_uri'],
    [{ redirect_uri: `${redirectUrl}/more` }, 'redirect_uri'],
    [{ code_challenge_method: 'plain' }, 'PKCE'],
    [{ code_challenge: undefined }, 'PKCE'],
    [{ resource: 'https://other.example/mcp' }, 'resource'],
    [{ response_type: 'token' }, 'response_type'],
    [{ client_id: 'nobody' }, 'not known'],
  ] as const)
    await expect(decide(changed as Partial<ConsentRequest>)).rejects.toThrow(why)
  await expect(decide({}, 'team_00000000000000000000000000')).rejects.toThrow('not in this team')
  // whoever listens on the person's own machine takes the port that is free
  const codeOf = async () =>
    new URL((await decide({ redirect_uri: redirectUrl.replace('51234', '49999') })).redirectTo).searchParams.get(
      'code',
    ) ?? ''
  const form = {
    grant_type: 'authorization_code',
    client_id: registered.client_id,
    redirect_uri: redirectUrl.replace('51234', '49999'),
    code_verifier: verifier,
  }
  const code = await codeOf()
  const wrongs: Record<string, string>[] = [
    { code_verifier: randomBytes(32).toString('base64url') },
    { client_id: 'another' },
    { redirect_uri: redirectUrl },
    { resource: 'https://other.example/' },
    { grant_type: 'password' },
  ]
  for (const wrong of wrongs) expect((await post('/oauth/token', { ...form, code, ...wrong })).status).toBe(400)
  const [one, two] = await Promise.all([
    post('/oauth/token', { ...form, code }),
    post('/oauth/token', { ...form, code }),
  ])
  expect([one.status, two.status].sort()).toEqual([200, 400])
  // it was shown twice: what it gave is gone as well
  const { access_token: token } = (await (one.ok ? one : two).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '[]' })).status).toBe(401)
  const refused = await owner.call(routes.oauth.decide, { body: { decision: 'refuse', request } })
  expect(new URL(refused.redirectTo).searchParams.get('error')).toBe('access_denied')
})

test('registrations are bounded in size, number and in where people are sent', async () => {
  const register = (body: unknown) =>
    fetch(`${server.url}/oauth/register`, { method: 'POST', body: JSON.stringify(body) })
  for (const uri of [
    'javascript:alert(1)',
    'http://example.com/',
    'https://a@b.example/',
    'data:text/html,x',
    'x',
    'https://a.example/#b',
  ])
    expect(await (await register({ redirect_uris: [uri] })).json(), uri).toMatchObject({
      error: 'invalid_redirect_uri',
    })
  expect((await register({ redirect_uris: [] })).status).toBe(400)
  expect((await register({ redirect_uris: ['https://a.example/'], client_name: 'x'.repeat(20_000) })).status).toBe(413)
  const many = await Promise.all(
    Array.from({ length: 12 }, () => register({ redirect_uris: ['cursor://app/callback'] })),
  )
  expect(many.map(({ status }) => status)).toContain(429)
  // no page of another site registers or asks for tokens
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' }
  expect((await fetch(`${server.url}/oauth/register`, foreign)).status).toBe(403)
  // a person decides, and no key
  const { key } = await owner.call(routes.keys.create, { body: { name: 'k', scopes: ['admin'] } })
  await expect(
    server.withKey(key)(routes.oauth.describe, {
      query: { client_id: 'x', redirect_uri: 'https://a.example/', response_type: 'code' },
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})
