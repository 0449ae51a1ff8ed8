import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, socketClose, type ChangeEvent } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { accessEvents, type Caller, type IdentifyCaller } from '../../access/index.ts'
import type { BusEvent, EventBus, Log } from '../../base/index.ts'
import { documentUpdateEvent } from '../../workspaces/index.ts'
import { isOurHost, isOurOrigin } from '../http/guard-requests.ts'
import { toIdentifyingHeaders } from './identifying-headers.ts'

export interface EventSocketOptions {
  events: EventBus
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

// access that was taken away ends open sockets within five seconds, also when the notice of it was lost
const recheckEveryMs = 3000
const largestMessage = 1024
const socketsPerPerson = 50
/** Frames a client may send between two checks. It has nothing to say: browsers answer our pings, and that is all. */
const framesAllowed = 20
const tooMuch = 1008

/** WS /events: tells the studio what changed in the team, as ids. Whoever loses access loses the socket. */
export function createEventSocket({ events, identifyCaller, publicUrl, log }: EventSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const open = new Map<WebSocket, OpenSocket>()

  const unsubscribe = events.subscribe((event) => {
    for (const [socket, { caller }] of open) {
      if (event.teamId === caller.teamId && event.type !== documentUpdateEvent) send(socket, event)
      if (accessEvents.has(event.type) && concerns(event, caller)) void recheck(socket)
    }
  })
  const timer = setInterval(() => {
    for (const [socket, known] of open) {
      // whoever did not answer for two rounds is gone: their network never told us
      if (known.unanswered >= 2) socket.terminate()
      known.unanswered++
      known.frames = 0
      socket.ping()
      void recheck(socket)
    }
  }, recheckEveryMs)
  timer.unref()

  async function recheck(socket: WebSocket): Promise<void> {
    const known = open.get(socket)
    if (!known) return
    try {
      const caller = await identifyCaller(known.headers, known.caller).catch(absentIfRefused)
      if (!caller) return socket.close(socketClose.unauthenticated, 'signed out')
      if (caller.teamId !== known.caller.teamId) return socket.close(socketClose.forbidden, 'another team')
      known.caller = caller
    } catch (error) {
      // the database is away, and with it every event: the next round checks again
      log.warn({ error }, 'an event socket could not be checked')
    }
  }

  function admit(socket: WebSocket, caller: Caller, headers: Headers): void {
    const known: OpenSocket = { caller, headers, frames: 0, unanswered: 0 }
    const count = () => {
      if (++known.frames > framesAllowed) socket.close(tooMuch, 'too many messages')
    }
    open.set(socket, known)
    socket.on('message', count)
    socket.on('ping', count)
    socket.on('pong', () => {
      known.unanswered = 0
      count()
    })
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.terminate())
  }

  return {
    path: '/events',
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      const { host, origin } = request.headers
      if (!isOurHost(host, publicUrl) || !isOurOrigin(origin, host, publicUrl)) return refuse(socket, 403, 'Forbidden')
      const headers = toIdentifyingHeaders(request)
      const caller = await identifyCaller(headers, { ip: request.socket.remoteAddress ?? null, requestId: null }).catch(
        () => undefined,
      )
      if (!caller?.teamId) return refuse(socket, 401, 'Unauthorized')
      const own = [...open.values()].filter((one) => one.caller.person.id === caller.person.id)
      if (own.length >= socketsPerPerson) return refuse(socket, 429, 'Too Many Requests')
      server.handleUpgrade(request, socket, head, (webSocket) => admit(webSocket, caller, headers))
    },
    close(): void {
      clearInterval(timer)
      unsubscribe()
      for (const socket of open.keys()) socket.close(socketClose.stopping, 'the server stops')
      server.close()
    },
  }
}

interface OpenSocket {
  caller: Caller
  headers: Headers
  frames: number
  unanswered: number
}

function absentIfRefused(error: unknown): undefined {
  if (error instanceof CoherexError && error.code === 'unauthenticated') return undefined
  throw error
}

function concerns(event: BusEvent, caller: Caller): boolean {
  return event.type === 'reconnected' || event.teamId === caller.teamId || event.id === caller.person.id
}

function send(socket: WebSocket, { type, id }: BusEvent): void {
  // a reader this far behind has to fetch everything again anyway
  if (socket.bufferedAmount > 1_000_000) return socket.terminate()
  socket.send(JSON.stringify({ type, id } satisfies ChangeEvent))
}

function refuse(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
