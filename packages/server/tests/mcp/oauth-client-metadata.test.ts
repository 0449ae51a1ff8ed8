import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { routes, type ConsentRequest } from '@coherex/contract'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../harness/database/test-database.ts'
import { KeptAuth } from '../harness/outside/kept-auth.ts'
import { loopbackCertificate, loopbackKey } from '../harness/outside/loopback-certificate.ts'
import { makeTestDirectory, startServerProcess } from '../harness/server-process.ts'
import { setUpOwner } from '../harness/test-server.ts'

const asked: string[] = []
let changes: object = {}
const site = createServer({ cert: loopbackCertificate, key: loopbackKey }, (request, response) => {
  asked.push(request.url ?? '')
  const { clientMetadata } = new KeptAuth()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ ...clientMetadata, client_id: siteUrl + request.url, ...changes }))
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const { port } = site.address() as AddressInfo
const siteUrl = `https://127.0.0.1:${port}`

const [database, directory] = await Promise.all([createTestDatabase(), makeTestDirectory()])
const authorities = join(directory.path, 'authorities.pem')
await writeFile(authorities, loopbackCertificate)
const server = await startServerProcess({
  ...{ DATABASE_URL: database.url, COHEREX_DATA_DIR: directory.path, PORT: '0', COHEREX_WARM: 'false' },
  ...{ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: authorities },
})
const owner = await setUpOwner(server)
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  site.close()
  await database.drop()
  await directory.remove()
})

function open(auth: KeptAuth) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  return { client, transport: new StreamableHTTPClientTransport(new URL('/mcp', server.url), { authProvider: auth }) }
}
async function begin(path: string) {
  const auth = new KeptAuth(`${siteUrl}${path}`)
  const { client, transport } = open(auth)
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
  const request = Object.fromEntries(auth.asked?.searchParams ?? []) as unknown as ConsentRequest
  return { auth, transport, request }
}

test('the official client is known by the metadata on its own site, without a registration', async () => {
  const { auth, transport, request } = await begin('/client.json')
  expect(request).toMatchObject({ client_id: `${siteUrl}/client.json` })
  expect(await owner.call(routes.oauth.describe, { query: request })).toMatchObject({
    client: { name: 'Test application', site: `127.0.0.1:${port}` },
  })
  const teamId = owner.me.team?.id ?? ''
  const body = { decision: 'grant' as const, request, teamId, scopes: ['read' as const] }
  const { redirectTo } = await owner.call(routes.oauth.decide, { body })
  await transport.finishAuth(new URL(redirectTo).searchParams)
  const { client, transport: next } = open(auth)
  await client.connect(next)
  expect((await client.callTool({ name: 'list_workspaces', arguments: {} })).isError).toBeFalsy()
  expect((await owner.call(routes.mcp.clients, {})).items).toMatchObject([{ name: 'Test application' }])
  expect(new Set(asked)).toEqual(new Set(['/client.json']))
  await client.close()
})

test('metadata that names another client, or sends people elsewhere, lets nobody in', async () => {
  for (const [path, wrong] of [
    ['/a.json', { client_id: `${siteUrl}/client.json` }],
    ['/b.json', { redirect_uris: ['https://evil.example/back'] }],
  ] as const) {
    changes = wrong
    const { request } = await begin(path)
    await expect(owner.call(routes.oauth.describe, { query: request })).rejects.toMatchObject({ code: 'invalid_input' })
  }
})
