import type { IncomingMessage, ServerResponse } from 'node:http'
import { routes } from '@coherex/contract'
import { afterAll, expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { startAuthorizationServer } from '../harness/outside/authorization-server.ts'
import { startMcpServer } from '../harness/outside/mcp-server.ts'

const remote = await startMcpServer()
const authority = await startAuthorizationServer(() => remote.url)
const { chat, owner, server } = await startAgentServer({
  COHEREX_ALLOW_PRIVATE: `127.0.0.1:${remote.port},127.0.0.1:${authority.port}`,
})
remote.tools = [{ name: 'look', description: 'Looks', annotations: { readOnlyHint: true } }]
const metadataUrl = `http://127.0.0.1:${remote.port}/meta`
remote.guard = async (request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/meta') {
    const body = { resource: remote.url, authorization_servers: [authority.issuer], scopes_supported: ['tools'] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  if (await authority.admits(request.headers.authorization, remote.url)) return false
  response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"` }).end()
  return true
}
afterAll(async () => {
  await remote.stop()
  await authority.stop()
})

const place = { kind: 'remote', url: remote.url, auth: { kind: 'oauth' } } as const
const named = { params: { name: 'guarded' } }

test('an admin signs in to a server that asks for OAuth, and its token is renewed and goes nowhere else', async () => {
  expect(await owner.call(routes.mcpServers.add, { body: { name: 'guarded', place } })).toMatchObject({
    status: 'sign-in',
    problem: 'MCP server "guarded" asks for a sign-in or another key',
  })
  const { url } = await owner.call(routes.mcpServers.connect, named)
  const asked = new URL(url ?? '').searchParams
  expect(asked.get('code_challenge_method')).toBe('S256')
  expect(asked.get('resource')).toBe(remote.url)
  expect(asked.get('redirect_uri')).toBe(`${server.url}/oauth/callback`)
  const back = await authority.agree(url ?? '')
  expect(back).toContain(`${server.url}/oauth/callback?`)

  // nobody else ends it, and nobody with another state
  const other = await server.invite(owner, 'admin')
  const failed = async (person: typeof owner, address: string) => (await person.fetch(address)).headers.get('location')
  expect(await failed(other, back)).toContain('failed=')
  expect(await failed(owner, back.replace(/state=guarded./, 'state=guarded.x'))).toContain('failed=')
  expect((await server.browser().fetch(back)).headers.get('location')).toBe('/sign-in')

  expect(await failed(owner, back)).toBe('/settings/mcp-servers?name=guarded')
  expect(await owner.call(routes.mcpServers.get, named)).toMatchObject({ status: 'ready', tools: { waiting: 1 } })
  expect(authority.grants.map(({ grant_type: kind, resource }) => [kind, resource])).toEqual([
    ['authorization_code', remote.url],
  ])
  // used once
  expect(await failed(owner, back)).toContain('failed=')

  authority.expireTokens()
  expect(await owner.call(routes.mcpServers.refresh, named)).toMatchObject({ status: 'ready', problem: null })
  expect(authority.grants.map(({ grant_type: kind }) => kind)).toEqual(['authorization_code', 'refresh_token'])

  // sealed in the store, and in no answer
  const superuser = await server.database.superuser()
  const { rows } = await superuser.query<{ sealed: Buffer }>('SELECT sealed FROM coherex.mcp_credential')
  await superuser.end()
  const token = remote.requests.findLast(({ headers }) => headers.authorization)?.headers.authorization?.slice(7) ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.sealed.toString('latin1')).not.toContain(token)
  expect(JSON.stringify(await owner.call(routes.mcpServers.list, {}))).not.toContain(token)
})

test('a tool that needs more rights has an admin sign in again, for those beside the ones that are there', async () => {
  const { hash } = await owner.call(routes.mcpServers.tools, named)
  await owner.call(routes.mcpServers.approve, { ...named, body: { hash } })
  const challenge = `Bearer error="insufficient_scope", scope="admin", resource_metadata="${metadataUrl}"`
  remote.intercept = (_, response, body) => {
    if (!body.includes('"tools/call"')) return false
    response.writeHead(403, { 'www-authenticate': challenge }).end()
    return true
  }
  const source = 'kind: agent\nname: looker\ndescription: Looks\ninstructions: Look.\ntools: ["mcp:guarded"]\n'
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([{ calls: [{ name: 'mcp_guarded_look', arguments: {} }] }, { text: 'Done.' }])
  const { id } = await owner.call(routes.threads.create, { body: { agent: 'looker', title: 'work' } })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'Please' })
  await (await owner.fetch(`/api/v1/threads/${id}/turns`, { method: 'POST', headers, body })).text()
  expect(await owner.call(routes.mcpServers.get, named)).toMatchObject({
    ...{ status: 'sign-in', problem: 'MCP server "guarded" asks for a sign-in with more rights' },
  })
  const { url } = await owner.call(routes.mcpServers.connect, named)
  expect(new URL(url ?? '').searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['admin', 'tools']))
  remote.intercept = undefined
})

test('a server that moves to another address gets nothing of the sign-in', async () => {
  const elsewhere = await startMcpServer()
  try {
    await owner.call(routes.mcpServers.change, {
      ...named,
      body: { place: { ...place, url: `http://127.0.0.1:${remote.port}/mcp2` } },
    })
    remote.requests.length = 0
    await owner.call(routes.mcpServers.refresh, named)
    expect(remote.requests.length).toBeGreaterThan(0)
    expect(remote.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
    // the server sends our token on to another one
    await owner.call(routes.mcpServers.change, { ...named, body: { place } })
    const { url } = await owner.call(routes.mcpServers.connect, named)
    await owner.fetch(await authority.agree(url ?? ''))
    remote.intercept = (_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
      return true
    }
    expect(await owner.call(routes.mcpServers.refresh, named)).toMatchObject({ status: 'failed' })
    expect(elsewhere.requests).toEqual([])
  } finally {
    remote.intercept = undefined
    await elsewhere.stop()
  }
})

test('who we are is at an address that servers can read', async () => {
  const response = await server.browser().fetch('/oauth/client.json')
  expect(await response.json()).toMatchObject({
    client_id: `${server.url}/oauth/client.json`,
    redirect_uris: [`${server.url}/oauth/callback`],
  })
})
