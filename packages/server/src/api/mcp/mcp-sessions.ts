import { randomUUID } from 'node:crypto'
import { CoherexError } from '@coherex/contract'
import type { Server } from '@modelcontextprotocol/server'
import type { TeamCaller } from '../../access/index.ts'
import type { BusEvent, Log } from '../../base/index.ts'
import type { Message } from './admitted.ts'
import { McpSession, refuse, type ListChange } from './mcp-session.ts'

export interface McpSessionsOptions {
  createServer(subscribed: Set<string>): Server
  tellServers(event: BusEvent): Promise<void>
  log: Log
  limits?: SessionLimits
}

export interface SessionLimits {
  ofPerson: number
  ofTeam: number
  idleMs: number
}

export const sessionHeader = 'mcp-session-id'
const endEvent = 'mcp-session-end'
const usual: SessionLimits = { ofPerson: 20, ofTeam: 100, idleMs: 30 * 60_000 }

/**
 * Sessions of clients of the older revision, in the memory of this process. Behind one address there may be several processes: each
 * knows its own sessions by the beginning of their ids. A request of a session that another one keeps is answered as one without.
 */
export function createMcpSessions({ createServer, tellServers, log, limits = usual }: McpSessionsOptions) {
  const sessions = new Map<string, McpSession>()
  const own = randomUUID()

  async function open(message: Message): Promise<Response> {
    const { caller } = message.visit
    const { person, teamId } = caller
    await makeRoom(
      (session) => session.caller.person.id === person.id && session.caller.teamId === teamId,
      limits.ofPerson,
    )
    await makeRoom((session) => session.caller.teamId === teamId, limits.ofTeam)
    const id = `${own}.${randomUUID()}`
    const subscribed = new Set<string>()
    const session = new McpSession({
      ...{ id, caller, subscribed, server: createServer(subscribed) },
      onEnd: () => sessions.delete(id),
      onError: (error) => log.debug({ error }, 'a message of a session of MCP was refused'),
    })
    sessions.set(id, session)
    await session.connect()
    const answer = await session.answer(message)
    if (!answer.ok) await session.end()
    return answer
  }

  /** Many clients never say that they go: the one that was not used for the longest time goes for them. */
  async function makeRoom(isCounted: (session: McpSession) => boolean, most: number): Promise<void> {
    const counted = [...sessions.values()].filter(isCounted)
    if (counted.length < most) return
    const [oldest] = counted
      .flatMap((session) => (session.idleSince === undefined ? [] : [{ session, since: session.idleSince }]))
      .toSorted((one, other) => one.since - other.since)
    if (!oldest) throw new CoherexError('quota_exceeded', `${most} sessions are in use: close one first`)
    await oldest.session.end()
  }

  /** A session of somebody else is one that is not there. */
  function find(id: string, caller: TeamCaller): McpSession | undefined {
    const session = sessions.get(id)
    return session && isSame(session.caller, caller) ? session : undefined
  }

  return {
    /** The answer to a message of the older revision; undefined where no session is needed for it. */
    async answer(message: Message): Promise<Response | undefined> {
      const { request, body, visit } = message
      const id = request.headers.get(sessionHeader)
      if (request.method === 'POST' && (body as { method?: unknown }).method === 'initialize' && id === null)
        return open(message)
      if (id === null) {
        if (request.method === 'POST') return undefined
        throw new CoherexError('invalid_input', `${request.method} needs the header ${sessionHeader}`)
      }
      const session = find(id, visit.caller)
      if (session) return session.answer(message)
      if (id.startsWith(`${own}.`)) return refuse(404, -32001, 'Session not found')
      if (request.method === 'POST') return undefined
      // 405 says that there is no stream, and the client goes on without one
      if (request.method === 'GET') return refuse(405, -32000, 'The session is kept by another server')
      await tellServers({ teamId: visit.caller.teamId, type: endEvent, id: toMark(id, visit.caller) })
      return new Response(null, { status: 202 })
    },

    /** Ends a session that its client ended at another process. */
    hear({ teamId, type, id }: BusEvent): void {
      if (type !== endEvent) return
      for (const session of sessions.values())
        if (session.caller.teamId === teamId && toMark(session.id, session.caller) === id) void session.end()
    },

    all: (): Iterable<McpSession> => sessions.values(),

    tellList(teamId: string, change: ListChange): void {
      for (const session of sessions.values()) if (session.caller.teamId === teamId) session.tellList(change)
    },

    async endIdle(): Promise<void> {
      const before = Date.now() - limits.idleMs
      for (const session of sessions.values())
        if (session.idleSince !== undefined && session.idleSince < before) await session.end()
    },

    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map((session) => session.end()))
    },
  }
}

const isSame = (one: TeamCaller, other: TeamCaller) =>
  one.teamId === other.teamId && one.credentialId === other.credentialId && one.person.id === other.person.id

const toMark = (id: string, { credentialId }: TeamCaller) => `${credentialId} ${id.slice(0, 100)}`
