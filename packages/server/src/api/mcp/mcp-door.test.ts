import { inspect } from 'node:util'
import { CoherexError } from '@coherex/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../../access/index.ts'
import type { Message } from './admitted.ts'
import { createMcpDoor } from './mcp-door.ts'
import type { Shelf, ToolVisit } from './shelf.ts'

const token = 'chx_a_token_of_a_client'
const caller = {
  ...{ ip: null, requestId: null, setupDone: true, via: 'key', credentialId: 'key_a', scopes: ['run'] },
  ...{ teamId: 'team_a', role: 'editor', person: { id: 'per_a', name: 'Ann', operator: false } },
} as unknown as TeamCaller

function messageOf(body: object): Message {
  const end = new AbortController()
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return {
    visit: { caller, author: { kind: 'person', id: 'per_a', name: 'Ann' } as never, signal: end.signal },
    ...{ end, body, headers: new Headers({ ...headers, authorization: `Bearer ${token}`, cookie: token }) },
    request: new Request('http://127.0.0.1/mcp', { method: 'POST', headers }),
    tell: (error) => new CoherexError('internal', String(error)),
  }
}

test('a shelf finds no token of the client in the visit that calls a tool', async () => {
  let seen: ToolVisit | undefined
  const shelf: Shelf = {
    findTool: async () => ({
      tool: { name: 'look', inputSchema: { type: 'object' } },
      access: { role: 'viewer', scope: 'read' },
      async call(_input, visit) {
        seen = visit
        return { content: [] }
      },
    }),
  }
  const door = createMcpDoor({
    ...{ version: '1', shelves: [shelf], publicUrl: 'http://127.0.0.1', log: pino({ level: 'silent' }) },
    events: { subscribe: () => () => undefined },
    tellServers: async () => undefined,
    identifyCaller: async () => undefined as never,
  })
  const call = messageOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look', arguments: {} } })
  expect((await door.answer(call)).status).toBe(200)
  await expect.poll(() => seen).toBeDefined()
  const { authInfo, req } = seen?.protocol.http ?? {}
  expect(inspect([seen, authInfo, [...(req?.headers ?? [])]], { depth: 30, showHidden: true })).not.toContain(token)
  expect(inspect(authInfo, { depth: 30 })).toContain('team_a')
  await door.close()
})
