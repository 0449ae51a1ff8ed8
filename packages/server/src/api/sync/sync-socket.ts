import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, errorStatus } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { accessEvents, checkAccess, inTeam, type IdentifyCaller, type TeamCaller } from '../../access/index.ts'
import type { EventBus, Log } from '../../base/index.ts'
import { createWriter, largestUpdate, type Workspaces } from '../../workspaces/index.ts'
import { isOurHost, isOurOrigin } from '../http/guard-requests.ts'
import { toIdentifyingHeaders } from '../socket/identifying-headers.ts'
import { colorOf } from './presence.ts'
import { SyncConnection } from './sync-connection.ts'
import { pingMessage } from './sync-messages.ts'
import { SyncRoom } from './sync-room.ts'

export interface SyncSocketOptions {
  workspaces: Workspaces
  events: EventBus
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

const reads = { role: 'viewer', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const
const ownPath = /^\/sync\/(wsp_[0-9a-z]{20,32})$/
// access that was taken away ends open sockets within five seconds, also when the notice of it was lost
const recheckEveryMs = 3000
const socketsPerPerson = 100
const socketsPerRoom = 500
// clients give a silent server up after half a minute
const pingRounds = 3

interface OpenSocket {
  caller: TeamCaller
  headers: Headers
  connection: SyncConnection
  unanswered: number
}

/** WS /sync/{workspaceId}: the live document of a workspace, in hocuspocus' protocol. */
export function createSyncSocket({ workspaces, events, identifyCaller, publicUrl, log }: SyncSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestUpdate + 65_536 })
  const open = new Map<WebSocket, OpenSocket>()
  const rooms = new Map<string, Promise<SyncRoom>>()
  let round = 0

  const unsubscribe = events.subscribe(({ type, id, teamId }) => {
    if (accessEvents.has(type)) for (const socket of open.keys()) void recheck(socket)
    if (type === 'reconnected') for (const key of rooms.keys()) void recheckRoom(key)
    if (type === 'workspace' && id && teamId) void recheckRoom(keyOf(teamId, id))
  })
  const timer = setInterval(() => {
    round++
    for (const [socket, known] of open) {
      // whoever did not answer for two rounds is gone: their network never told us
      if (known.unanswered >= 2) socket.terminate()
      known.unanswered++
      socket.ping()
      if (round % pingRounds === 0) known.connection.send(pingMessage)
      void recheck(socket)
    }
  }, recheckEveryMs)
  timer.unref()

  async function recheck(socket: WebSocket): Promise<void> {
    const known = open.get(socket)
    if (!known) return
    try {
      const caller = await identifyCaller(known.headers, known.caller)
      if (!caller) throw new CoherexError('unauthenticated', 'signed out')
      checkAccess(reads, caller)
      if (caller.teamId !== known.caller.teamId) throw new CoherexError('forbidden', 'another team')
      if (mayWrite(caller) !== known.connection.canWrite) throw new CoherexError('conflict', 'your rights have changed')
    } catch (error) {
      if (error instanceof CoherexError && error.code !== 'unavailable') known.connection.end(error)
      // the database is away: the next round checks again
      else log.warn({ error }, 'a sync socket could not be checked')
    }
  }

  async function recheckRoom(key: string): Promise<void> {
    const room = await rooms.get(key)?.catch(() => undefined) // told to whoever asked for it
    if (!room) return
    const [teamId = '', workspaceId = ''] = key.split(' ')
    try {
      await checkWorkspace(teamId, workspaceId)
    } catch (error) {
      if (error instanceof CoherexError && error.code !== 'unavailable') room.close(error)
      else log.warn({ error }, 'a workspace could not be checked')
    }
  }

  async function checkWorkspace(teamId: string, workspaceId: string): Promise<void> {
    const { archivedAt } = await workspaces.get(teamId, workspaceId)
    if (archivedAt !== null) throw new CoherexError('conflict', 'The workspace is archived')
  }

  async function enter(teamId: string, workspaceId: string): Promise<SyncRoom> {
    const key = keyOf(teamId, workspaceId)
    const made =
      rooms.get(key) ??
      workspaces.openLive(teamId, workspaceId).then((live) => {
        const onEmpty = () => {
          if (rooms.get(key) === made) rooms.delete(key)
        }
        return new SyncRoom({ teamId, workspaceId, live, events, onEmpty })
      })
    rooms.set(key, made)
    try {
      const room = await made
      if (room.isClosed) return await enter(teamId, workspaceId)
      if (room.connections.size >= socketsPerRoom) throw new CoherexError('quota_exceeded', 'Too many are connected')
      return room
    } catch (error) {
      if (rooms.get(key) === made && !(await made.catch(() => undefined))) rooms.delete(key)
      throw error
    }
  }

  async function admit(request: IncomingMessage): Promise<{ caller: TeamCaller; headers: Headers }> {
    const { host, origin } = request.headers
    if (!isOurHost(host, publicUrl) || !isOurOrigin(origin, host, publicUrl)) {
      throw new CoherexError('forbidden', 'Requests from other sites are refused')
    }
    const headers = toIdentifyingHeaders(request)
    const caller = await identifyCaller(headers, { ip: request.socket.remoteAddress ?? null, requestId: null })
    if (!caller) throw new CoherexError('unauthenticated', 'Sign in, or send an API key')
    checkAccess(reads, caller)
    const own = [...open.values()].filter((one) => one.caller.person.id === caller.person.id)
    if (own.length >= socketsPerPerson) throw new CoherexError('quota_exceeded', 'Too many sockets are open')
    return { caller: inTeam(caller), headers }
  }

  function connect(
    socket: WebSocket,
    room: SyncRoom,
    workspaceId: string,
    known: Pick<OpenSocket, 'caller' | 'headers'>,
  ) {
    const { person, via } = known.caller
    const door = via === 'session' ? 'studio' : 'api'
    const connection = new SyncConnection({
      socket,
      room,
      workspaceId,
      writer: createWriter({ kind: 'person', id: person.id, name: person.name, door }, person.id),
      identity: { id: person.id, name: person.name, color: colorOf(person.id) },
      canWrite: mayWrite(known.caller),
      log,
    })
    const one: OpenSocket = { ...known, connection, unanswered: 0 }
    open.set(socket, one)
    socket.on('pong', () => (one.unanswered = 0))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      open.delete(socket)
      connection.leave()
    })
  }

  return {
    takes: (path: string | undefined): boolean => ownPath.test(path ?? ''),

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const workspaceId = ownPath.exec(request.url?.split('?', 1)[0] ?? '')?.[1] ?? ''
        const known = await admit(request)
        const { teamId } = known.caller
        await checkWorkspace(teamId, workspaceId)
        const room = await enter(teamId, workspaceId)
        server.handleUpgrade(request, socket, head, (webSocket) => connect(webSocket, room, workspaceId, known))
        // where the handshake itself was refused, nobody came
        room.endIfEmpty()
      } catch (error) {
        const status = error instanceof CoherexError ? errorStatus[error.code] : 500
        if (status === 500) log.error({ error }, 'a workspace could not be opened for sync')
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      }
    },

    close(): void {
      clearInterval(timer)
      unsubscribe()
      for (const { connection } of open.values()) connection.end(new CoherexError('unavailable', 'the server stops'))
      server.close()
    },
  }
}

function mayWrite(caller: Parameters<typeof checkAccess>[1]): boolean {
  try {
    checkAccess(writes, caller)
    return true
  } catch {
    return false
  }
}

function keyOf(teamId: string, workspaceId: string): string {
  return `${teamId} ${workspaceId}`
}
