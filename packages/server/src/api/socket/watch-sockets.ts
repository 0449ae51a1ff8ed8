import { CoherexError, socketClose } from '@coherex/contract'
import type { WebSocket } from 'ws'
import { accessEvents, type Caller, type IdentifyCaller, inTeam } from '../../access/index.ts'
import type { BusEvent, EventFeed, Log } from '../../base/index.ts'
import type { Admitted } from './admit-socket.ts'

interface WatchOptions<Known extends Admitted> {
  events: EventFeed
  identifyCaller: IdentifyCaller
  log: Log
  /** Throws where the person may no longer have this socket. */
  check?: (caller: Caller, known: Known) => void | Promise<void>
  /** Which notices of changed access are about this socket; all are unless told. */
  concerns?: (event: BusEvent, known: Known) => boolean
  onRound?: (known: Known) => void
  end?: (socket: WebSocket, known: Known, error: CoherexError) => void
}

export interface WatchedSockets<Known> {
  readonly open: ReadonlyMap<WebSocket, Known>
  add(socket: WebSocket, known: Known): void
  close(): void
}

// access that was taken away ends open sockets within five seconds, also when the notice of it was lost
const recheckEveryMs = 3000
// cut at once, a connection takes the reason with it that is on its way to whoever still sends
const patienceMs = 5000

/** Keeps the open sockets of a door: whoever loses access loses the socket, and whoever is silent is let go of. */
export function watchSockets<Known extends Admitted>(options: WatchOptions<Known>): WatchedSockets<Known> {
  const { events, identifyCaller, log, check, concerns = () => true, onRound, end = closeSocket } = options
  const open = new Map<WebSocket, Known>()
  const unanswered = new Map<WebSocket, number>()

  const unsubscribe = events.subscribe((event) => {
    if (!accessEvents.has(event.type)) return
    for (const [socket, known] of open) if (concerns(event, known)) void recheck(socket, known)
  })
  const timer = setInterval(() => {
    for (const [socket, known] of open) {
      // whoever did not answer for two rounds is gone: their network never told us
      const rounds = unanswered.get(socket) ?? 0
      if (rounds >= 2) socket.terminate()
      unanswered.set(socket, rounds + 1)
      socket.ping()
      onRound?.(known)
      void recheck(socket, known)
    }
  }, recheckEveryMs)
  timer.unref()

  async function recheck(socket: WebSocket, known: Known): Promise<void> {
    try {
      const caller = await identifyCaller(known.headers, known.caller)
      if (!caller) throw new CoherexError('unauthenticated', 'signed out')
      if (caller.teamId !== known.caller.teamId) throw new CoherexError('forbidden', 'another team')
      await check?.(caller, known)
      known.caller = inTeam(caller)
    } catch (error) {
      if (error instanceof CoherexError && error.code !== 'unavailable') end(socket, known, error)
      // the database is away, and with it every event: the next round checks again
      else log.warn({ error }, 'a socket could not be checked')
    }
  }

  return {
    open,
    add(socket, known) {
      open.set(socket, known)
      socket.on('pong', () => unanswered.delete(socket))
      socket.on('error', () => setTimeout(() => socket.terminate(), patienceMs).unref())
      socket.on('close', () => {
        open.delete(socket)
        unanswered.delete(socket)
      })
    },
    close() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

export function closeSocket(socket: WebSocket, _known: unknown, { code, message }: CoherexError): void {
  socket.close(code === 'unauthenticated' ? socketClose.unauthenticated : socketClose.forbidden, message.slice(0, 120))
}
