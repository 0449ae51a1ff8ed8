import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiKey, AuditEvent, Me, Member } from '@coherex/contract'

export interface Call {
  method: string
  path: string
  key: string | undefined
  body: unknown
}

type Answer = [status: number, body?: unknown, headers?: Record<string, string>]

/** A server over HTTP whose answers a test decides, for what the real one does not do on demand. */
export async function startSmallServer(answer: (call: Call) => Answer) {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const call: Call = {
      method: request.method ?? '',
      path: request.url ?? '',
      key: request.headers.authorization?.replace('Bearer ', ''),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    }
    calls.push(call)
    const [status, body, headers] = answer(call)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const at = '2026-11-15T10:00:00.000Z'
const teamId = `team_${'a'.repeat(20)}`
const personId = `per_${'b'.repeat(20)}`

export const me: Me = {
  person: { id: personId, name: 'Ada', email: 'ada@example.test', operator: true },
  team: { id: teamId, name: 'Engines', createdAt: at },
  role: 'owner',
  teams: [{ id: teamId, name: 'Engines', createdAt: at, role: 'owner' }],
  setupDone: true,
  via: 'key',
  scopes: ['admin'],
}

export const member: Member = {
  person: { id: personId, name: 'Ada', email: 'ada@example.test' },
  role: 'owner',
  joinedAt: at,
}

export const apiKey = (n: number): ApiKey => ({
  id: `key_${String(n).padStart(20, '0')}`,
  name: `key ${n}`,
  start: 'chx_ab',
  scopes: ['read'],
  createdBy: { id: personId, name: 'Ada' },
  createdAt: at,
  lastUsedAt: null,
  expiresAt: null,
})

export const auditEvent: AuditEvent = {
  id: `aud_${'c'.repeat(20)}`,
  at,
  actor: { kind: 'person', id: personId, name: 'Eve\u001b[31m' },
  action: 'key.create',
  target: { kind: 'key', id: 'key_1', name: 'ci' },
  details: {},
  ip: '127.0.0.1',
  requestId: null,
}
