import { hasRole, routes } from '@coherex/contract'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import { accessEvents, type IdentifyCaller, type TeamCaller } from '../../access/index.ts'
import type { BusEvent, EventFeed, Log } from '../../base/index.ts'
import { toAuthInfo, type Message } from './admitted.ts'
import { createCancellations, type TellServers } from './cancellations.ts'
import { createMcpServer } from './create-mcp-server.ts'
import type { ListChange, McpSession } from './mcp-session.ts'
import { createMcpSessions, type SessionLimits } from './mcp-sessions.ts'
import type { Shelf } from './shelf.ts'

export interface McpDoorDeps {
  version: string
  shelves: Shelf[]
  events: EventFeed
  /** Tells every server process, this one included: a session is kept by one of them. */
  tellServers: TellServers
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
  sessionLimits?: SessionLimits
}

export interface McpDoor {
  answer(message: Message): Promise<Response>
  /** The message was answered, or its client is gone. */
  leave(message: Message): void
  /** Ends the calls of a session that have this id, whichever server process works on them. */
  cancel(caller: TeamCaller, session: string, requestId: unknown): Promise<void>
  close(): Promise<void>
}

const mostStreamsOfTeam = 100
const recheckEveryMs = 10_000
const tellEveryMs = 1_000

/** What changed in the product, and which list of clients that concerns. */
const changes: Record<string, ListChange> = {
  tool: 'toolsChanged',
  skill: 'promptsChanged',
  workspace: 'resourcesChanged',
  'version-made': 'resourcesChanged',
  member: 'toolsChanged',
}

/**
 * MCP for every team. A message is answered by a server of its own, made for its caller and forgotten after it, or by the one of
 * its session. What stays is what is open: sessions, streams that wait for changes, and calls that a client may cancel.
 */
export function createMcpDoor(deps: McpDoorDeps): McpDoor {
  const { version, shelves, events, tellServers, identifyCaller, publicUrl, log } = deps
  const handlers = new Map<string, McpHttpHandler>()
  const open = new Set<Message>()
  const sessions = createMcpSessions({
    ...{ tellServers, log, limits: deps.sessionLimits },
    createServer: (subscribed) => createMcpServer({ version, shelves, tellsChanges: true, subscribed }),
  })
  const cancellations = createCancellations(tellServers, open)
  const toTell = new Map<string, Set<ListChange>>()
  const toUpdate = new Map<McpSession, Set<string>>()
  let timer: NodeJS.Timeout | undefined

  const unsubscribe = events.subscribe((event) => {
    if (accessEvents.has(event.type)) {
      recheckOpen()
      for (const session of sessions.all()) void recheck(session, () => session.end())
    }
    sessions.hear(event)
    cancellations.hear(event)
    noteChange(event)
  })
  const rounds = setInterval(() => {
    recheckOpen()
    void sessions.endIdle()
  }, recheckEveryMs)
  rounds.unref()

  /** Whoever types makes many versions: clients hear of them once a second. */
  function noteChange(event: BusEvent): void {
    const { teamId, type } = event
    if (teamId === null) return
    for (const session of sessions.all()) {
      if (session.caller.teamId !== teamId) continue
      for (const uri of session.subscribed) {
        if (!shelves.some((shelf) => shelf.isUpdated?.(uri, event))) continue
        toUpdate.set(session, (toUpdate.get(session) ?? new Set()).add(uri))
        timer ??= setTimeout(tellChanges, tellEveryMs)
      }
    }
    const change = changes[type]
    if (!change) return
    toTell.set(teamId, (toTell.get(teamId) ?? new Set()).add(change))
    timer ??= setTimeout(tellChanges, tellEveryMs)
  }

  function tellChanges(): void {
    timer = undefined
    for (const [teamId, told] of toTell)
      for (const change of told) {
        handlers.get(teamId)?.notify[change]()
        sessions.tellList(teamId, change)
      }
    for (const [session, uris] of toUpdate) for (const uri of uris) session.tellUpdate(uri)
    toTell.clear()
    toUpdate.clear()
  }

  function recheckOpen(): void {
    for (const { headers, visit, end } of open) void recheck({ headers, caller: visit.caller }, () => end.abort())
  }

  /** Rights that were taken away end what is open by them. */
  async function recheck(known: { headers: Headers; caller: TeamCaller }, end: () => unknown): Promise<void> {
    const { headers, caller } = known
    try {
      const now = await identifyCaller(headers, caller, `${publicUrl}${routes.mcp.message.path}`)
      const isStillIn = now?.teamId === caller.teamId && now.role !== null && hasRole(now.role, caller.role)
      if (!isStillIn) end()
    } catch (error) {
      if ((error as { code?: unknown }).code === 'unauthenticated') end()
      // the database is away: the next round checks again
      else log.warn({ error }, 'a client of MCP could not be checked')
    }
  }

  function handlerOf(teamId: string): McpHttpHandler {
    const known = handlers.get(teamId)
    if (known) return known
    const made = createMcpHandler(({ era }) => createMcpServer({ version, shelves, tellsChanges: era === 'modern' }), {
      bus: new InMemoryServerEventBus(),
      maxSubscriptions: mostStreamsOfTeam,
      onerror: (error) => log.debug({ error }, 'a message of MCP was refused'),
    })
    handlers.set(teamId, made)
    return made
  }

  return {
    async answer(message) {
      const { request, body, visit } = message
      open.add(message)
      const isOlder = body === undefined || (await isLegacyRequest(request, body))
      const answer = isOlder ? await sessions.answer(message) : undefined
      return (
        answer ?? handlerOf(visit.caller.teamId).fetch(request, { authInfo: toAuthInfo(message), parsedBody: body })
      )
    },
    leave(message) {
      open.delete(message)
      message.end.abort()
    },
    cancel: cancellations.cancel,
    async close() {
      unsubscribe()
      clearInterval(rounds)
      clearTimeout(timer)
      for (const { end } of open) end.abort()
      await Promise.all([sessions.close(), ...[...handlers.values()].map((handler) => handler.close())])
    },
  }
}
