import { CoherexError } from '@coherex/contract'
import { Server } from '@modelcontextprotocol/server'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../../access/index.ts'
import type { Message } from './admitted.ts'
import { createMcpSessions, sessionHeader } from './mcp-sessions.ts'

const caller = { teamId: 'team_a', credentialId: 'key_a', scopes: [], person: { id: 'per_a' } } as unknown as TeamCaller
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params }

function messageOf(method: string, { body, session }: { body?: object; session?: string }): Message {
  const end = new AbortController()
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' })
  if (session) headers.set(sessionHeader, session)
  return {
    visit: { caller, author: undefined as never, signal: end.signal },
    ...{ end, body, headers, request: new Request('http://127.0.0.1/mcp', { method, headers }) },
    tell: (error) => new CoherexError('internal', String(error)),
  }
}

const create = (limits: { ofPerson: number; idleMs: number }) =>
  createMcpSessions({
    createServer: () => new Server({ name: 'test', version: '1' }, { capabilities: {} }),
    tellServers: async () => undefined,
    log: pino({ level: 'silent' }),
    limits: { ofTeam: 100, ...limits },
  })

async function openSession(sessions: ReturnType<typeof create>): Promise<string> {
  const message = messageOf('POST', { body: initialize })
  const answer = await sessions.answer(message)
  await answer?.text()
  message.end.abort()
  return answer?.headers.get(sessionHeader) ?? ''
}

test('endIdle() ends a session that nobody uses, and keeps one whose stream is open', async () => {
  const sessions = create({ ofPerson: 10, idleMs: -1 })
  const [kept, idle] = [await openSession(sessions), await openSession(sessions)]
  const stream = messageOf('GET', { session: kept })
  expect((await sessions.answer(stream))?.status).toBe(200)
  await sessions.endIdle()
  expect([...sessions.all()].map(({ id }) => id)).toEqual([kept])
  expect((await sessions.answer(messageOf('GET', { session: idle })))?.status).toBe(404)
  stream.end.abort()
  await sessions.endIdle()
  expect([...sessions.all()]).toEqual([])
})

test('answer() refuses a new session where all of a person are in use', async () => {
  const sessions = create({ ofPerson: 1, idleMs: 1_000 })
  await sessions.answer(messageOf('GET', { session: await openSession(sessions) }))
  await expect(openSession(sessions)).rejects.toMatchObject({ code: 'quota_exceeded' })
  await sessions.close()
  await openSession(sessions)
})

test('answer() keeps no session for an initialize that is refused', async () => {
  const sessions = create({ ofPerson: 10, idleMs: 1_000 })
  for (const body of [
    { ...initialize, jsonrpc: '1.0' },
    { ...initialize, params: {} },
  ]) {
    const message = messageOf('POST', { body })
    await (await sessions.answer(message))?.text()
    message.end.abort()
  }
  expect([...sessions.all()]).toEqual([])
})
