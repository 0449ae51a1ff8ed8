import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { changesUnknown, CoherexError, hasRole, socketClose, type ChangeEvent } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import type { IdentifyCaller } from '../../access/index.ts'
import type { BusEvent, EventFeed, Log } from '../../base/index.ts'
import { documentUpdateEvent, presenceMovedEvent } from '../../workspaces/index.ts'
import { admitSocket, refuseSocket, type Admitted } from './admit-socket.ts'
import { keepRecentEvents } from './recent-events.ts'
import { watchSockets } from './watch-sockets.ts'

export interface EventSocketOptions {
  events: EventFeed
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

interface Listener extends Admitted {
  frames: number
}

const largestMessage = 1024
const socketsPerPerson = 50
/** Frames a client may send between two checks. It has nothing to say: browsers answer our pings, and that is all. */
const framesAllowed = 20
const tooMuch = 1008
/** What server processes tell each other and nobody needs to fetch anything for. */
const betweenProcesses = new Set([
  documentUpdateEvent,
  presenceMovedEvent,
  'turn-due',
  'turn-said',
  'turn-stop',
  'run-cancel',
  'sandbox-ask',
  'sandbox-answer',
  'mcp-cancel',
  'mcp-session-end',
])

/** Anything may have changed since the page was made. */
const unknownChanges: BusEvent = { teamId: null, type: changesUnknown, id: null }

/** WS /events: tells the studio what changed in the team, as ids. Whoever loses access loses the socket. */
export function createEventSocket({ events, identifyCaller, publicUrl, log }: EventSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const sockets = watchSockets<Listener>({
    events,
    identifyCaller,
    log,
    concerns,
    onRound: (known) => (known.frames = 0),
  })
  const recent = keepRecentEvents(events)
  const unsubscribe = events.subscribe((event) => {
    for (const [socket, listener] of sockets.open) if (mayHear(listener, event)) send(socket, event)
  })

  /** `ageMs` is how old what the page shows may be: it hears at once what changed since then. */
  function admit(socket: WebSocket, admitted: Admitted, ageMs: number): void {
    const known: Listener = { ...admitted, frames: 0 }
    const missed = recent.since(ageMs)?.filter((event) => mayHear(known, event))
    // what changed several times is fetched once
    const once = new Map((missed ?? [unknownChanges]).map((event) => [`${event.type} ${event.id}`, event]))
    for (const event of once.values()) send(socket, event)
    const count = () => {
      if (++known.frames > framesAllowed) socket.close(tooMuch, 'too many messages')
    }
    sockets.add(socket, known)
    for (const frame of ['message', 'ping', 'pong']) socket.on(frame, count)
  }

  return {
    path: '/events',
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const admitted = await admitSocket(request, { identifyCaller, publicUrl })
        const own = [...sockets.open.values()].filter((one) => one.caller.person.id === admitted.caller.person.id)
        if (own.length >= socketsPerPerson) throw new CoherexError('quota_exceeded', 'Too many sockets are open')
        server.handleUpgrade(request, socket, head, (webSocket) => admit(webSocket, admitted, readAge(request.url)))
      } catch (error) {
        if (refuseSocket(socket, error) === 500) log.error({ error }, 'an event socket could not be opened')
      }
    },
    close(): void {
      unsubscribe()
      recent.close()
      sockets.close()
      for (const socket of sockets.open.keys()) socket.close(socketClose.stopping, 'the server stops')
      server.close()
    },
  }
}

/** What is private is told to its person, and a call that waits for an answer also to those who are asked. */
function mayHear({ caller: { teamId, person, role } }: Admitted, { only, ...event }: BusEvent): boolean {
  if (event.teamId !== teamId || betweenProcesses.has(event.type)) return false
  return !only || only.personId === person.id || (only.admins && hasRole(role, 'admin'))
}

/** What is no number is as if the page were new. */
function readAge(url: string | undefined): number {
  const age = Number(new URL(url ?? '', 'http://localhost').searchParams.get('age') ?? 0)
  return Number.isFinite(age) && age > 0 ? age : 0
}

function concerns(event: BusEvent, { caller }: Listener): boolean {
  return event.type === 'reconnected' || event.teamId === caller.teamId || event.id === caller.person.id
}

function send(socket: WebSocket, { type, id }: BusEvent): void {
  // a reader this far behind has to fetch everything again anyway
  if (socket.bufferedAmount > 1_000_000) return socket.terminate()
  socket.send(JSON.stringify({ type, id } satisfies ChangeEvent))
}
