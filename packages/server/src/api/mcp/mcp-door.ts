import { hasRole, routes, type CoherexError } from '@coherex/contract'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { accessEvents, type IdentifyCaller } from '../../access/index.ts'
import type { BusEvent, EventFeed, Log } from '../../base/index.ts'
import { createMcpServer } from './create-mcp-server.ts'
import type { Shelf, Visit } from './shelf.ts'

export interface McpDoorDeps {
  version: string
  shelves: Shelf[]
  events: EventFeed
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

/** Who was let in. Shelves reach it through the protocol, so it has nothing of what they showed. */
interface Admitted {
  visit: Visit
  tell(error: unknown): CoherexError
}

/** A message that was let in. */
export interface Message extends Admitted {
  /** What the message was let in by, for when rights change while it is answered. */
  headers: Headers
  /** Ends the visit. */
  end: AbortController
  request: Request
  body: unknown
}

export interface McpDoor {
  answer(message: Message): Promise<Response>
  /** The message was answered, or its client is gone. */
  leave(message: Message): void
  /** Ends the calls of a session that have this id. */
  cancel(session: string, requestId: unknown): void
  close(): Promise<void>
}

export const sessionHeader = 'mcp-session-id'

const mostStreamsOfTeam = 100
const recheckEveryMs = 10_000
const tellEveryMs = 1_000

type ListChange = Exclude<keyof ServerNotifier, 'resourceUpdated'>

/** What changed in the product, and which list of clients that concerns. */
const changes: Record<string, ListChange> = {
  tool: 'toolsChanged',
  skill: 'promptsChanged',
  workspace: 'resourcesChanged',
  'version-made': 'resourcesChanged',
  member: 'toolsChanged',
}

/**
 * MCP for every team. A message is answered by a server of its own, made for its caller and forgotten after it. What stays is what
 * is open: streams that wait for changes, and calls that a client may cancel.
 */
export function createMcpDoor({ version, shelves, events, identifyCaller, publicUrl, log }: McpDoorDeps): McpDoor {
  const handlers = new Map<string, McpHttpHandler>()
  const open = new Set<Message>()
  const toTell = new Map<string, Set<ListChange>>()
  let timer: NodeJS.Timeout | undefined

  const unsubscribe = events.subscribe((event) => {
    if (accessEvents.has(event.type)) for (const message of open) void recheck(message)
    noteChange(event)
  })
  const rechecks = setInterval(() => {
    for (const message of open) void recheck(message)
  }, recheckEveryMs)
  rechecks.unref()

  /** Whoever types makes many versions: clients hear of them once a second. */
  function noteChange({ teamId, type }: BusEvent): void {
    const change = changes[type]
    if (teamId === null || !change || !handlers.has(teamId)) return
    toTell.set(teamId, (toTell.get(teamId) ?? new Set()).add(change))
    timer ??= setTimeout(tellChanges, tellEveryMs)
  }

  function tellChanges(): void {
    timer = undefined
    for (const [teamId, told] of toTell) for (const change of told) handlers.get(teamId)?.notify[change]()
    toTell.clear()
  }

  /** Rights that were taken away end what is open by them. */
  async function recheck(message: Message): Promise<void> {
    const { caller } = message.visit
    try {
      const now = await identifyCaller(message.headers, caller, `${publicUrl}${routes.mcp.message.path}`)
      const isStillIn = now?.teamId === caller.teamId && now.role !== null && hasRole(now.role, caller.role)
      if (!isStillIn) message.end.abort()
    } catch (error) {
      if ((error as { code?: unknown }).code === 'unauthenticated') message.end.abort()
      // the database is away: the next round checks again
      else log.warn({ error }, 'a client of MCP could not be checked')
    }
  }

  function handlerOf(teamId: string): McpHttpHandler {
    const known = handlers.get(teamId)
    if (known) return known
    const made = createMcpHandler(
      ({ era, authInfo }) => {
        if (!authInfo?.extra) throw new Error('a message of MCP came without its caller')
        const { visit, tell } = authInfo.extra['admitted'] as Admitted
        return createMcpServer({ version, shelves, visit, tellsChanges: era === 'modern', tell })
      },
      {
        bus: new InMemoryServerEventBus(),
        maxSubscriptions: mostStreamsOfTeam,
        onerror: (error) => log.debug({ error }, 'a message of MCP was refused'),
      },
    )
    handlers.set(teamId, made)
    return made
  }

  return {
    answer(message) {
      const { request, body, visit, tell } = message
      open.add(message)
      const admitted: Admitted = { visit, tell }
      const { credentialId, scopes, teamId } = visit.caller
      // no token goes further than this: what answers knows the caller, and not what they showed
      const authInfo = { token: '', clientId: credentialId, scopes: [...scopes], extra: { admitted } }
      return handlerOf(teamId).fetch(request, { authInfo, parsedBody: body })
    },
    leave(message) {
      open.delete(message)
      message.end.abort()
    },
    cancel(session, requestId) {
      for (const { request, body, end } of open) {
        if (request.headers.get(sessionHeader) === session && (body as { id?: unknown }).id === requestId) end.abort()
      }
    },
    async close() {
      unsubscribe()
      clearInterval(rechecks)
      clearTimeout(timer)
      for (const { end } of open) end.abort()
      await Promise.all([...handlers.values()].map((handler) => handler.close()))
    },
  }
}
