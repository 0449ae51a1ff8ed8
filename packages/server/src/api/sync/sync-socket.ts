import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { checkAccess, inTeam, type IdentifyCaller, type TeamCaller } from '../../access/index.ts'
import type { Artifacts } from '../../artifacts/index.ts'
import { actFor, type EventFeed, type Log } from '../../base/index.ts'
import { createWriter, largestUpdate, type Workspaces } from '../../workspaces/index.ts'
import { admitSocket, refuseSocket, type Admitted } from '../socket/admit-socket.ts'
import { watchSockets } from '../socket/watch-sockets.ts'
import { colorOf } from './presence.ts'
import { SyncConnection } from './sync-connection.ts'
import { pingMessage } from './sync-messages.ts'
import { SyncRoom, type SyncRoomOptions } from './sync-room.ts'

export interface SyncSocketOptions {
  workspaces: Workspaces
  artifacts: Pick<Artifacts, 'get' | 'openLive'>
  events: EventFeed
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

const reads = { role: 'viewer', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const
const ownPath = /^\/sync\/((?:wsp|art)_[0-9a-z]{20,32})$/
const isBlock = (name: string) => name.startsWith('art_')
const socketsPerPerson = 100
const socketsPerRoom = 500
/** Bytes that may wait for readers, of one team and of all: each of them may be a whole document behind. */
const mostWaiting = { team: 128_000_000, all: 256_000_000 }
// clients give a silent server up after half a minute
const pingRounds = 3

interface OpenSocket extends Admitted {
  connection: SyncConnection
  name: string
  rounds: number
}

/** WS /sync/{id}: the live document of a workspace or the text of a block, in hocuspocus' protocol. */
export function createSyncSocket({ workspaces, artifacts, events, identifyCaller, publicUrl, log }: SyncSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestUpdate + 65_536 })
  const rooms = new Map<string, Promise<SyncRoom>>()
  const sockets = watchSockets<OpenSocket>({
    events,
    identifyCaller,
    log,
    async check(caller, { connection, name }) {
      checkAccess(reads, caller)
      if (mayWrite(caller) !== connection.canWrite) throw new CoherexError('conflict', 'your rights have changed')
      if (isBlock(name)) await checkBlock(inTeam(caller), name)
    },
    onRound(known) {
      if (++known.rounds % pingRounds === 0) known.connection.send(pingMessage)
    },
    end: (_socket, { connection }, error) => connection.end(error),
  })
  const unsubscribe = events.subscribe(({ type, id, teamId }) => {
    if (type === 'reconnected') for (const key of rooms.keys()) void recheckRoom(key)
    if (type === 'workspace' && id && teamId) void recheckRoom(keyOf(teamId, id))
  })

  async function recheckRoom(key: string): Promise<void> {
    const room = await rooms.get(key)?.catch(() => undefined) // told to whoever asked for it
    if (!room) return
    const [teamId = '', name = ''] = key.split(' ')
    // who may see a block differs by person: each round asks for each of them
    if (isBlock(name)) return
    try {
      const { privateTo } = room.live
      const check = () => checkWorkspace(teamId, name)
      await (privateTo === null ? check() : actFor(privateTo, check))
    } catch (error) {
      if (error instanceof CoherexError && error.code !== 'unavailable') room.close(error)
      else log.warn({ error }, 'a workspace could not be checked')
    }
  }

  async function checkWorkspace(teamId: string, workspaceId: string): Promise<void> {
    const { archivedAt } = await workspaces.get(teamId, workspaceId)
    if (archivedAt !== null) throw new CoherexError('conflict', 'The workspace is archived')
  }

  /** Throws where the person does not see the block: its conversation may be private to somebody else. */
  async function checkBlock({ teamId, person }: TeamCaller, id: string): Promise<void> {
    await actFor(person.id, () => artifacts.get(teamId, id))
  }

  async function openRoom(caller: TeamCaller, name: string, onEmpty: () => void): Promise<SyncRoom> {
    const { teamId, person } = caller
    if (isBlock(name)) {
      return new SyncRoom({ live: await actFor(person.id, () => artifacts.openLive(caller, name)), onEmpty })
    }
    const live = await workspaces.openLive(teamId, name)
    const openBoard: SyncRoomOptions['openBoard'] = (onOthers) =>
      workspaces.openPresence({ teamId, workspaceId: name }, { audience: live.audience, onOthers })
    return new SyncRoom({ live, openBoard, onEmpty })
  }

  async function enter(caller: TeamCaller, name: string): Promise<SyncRoom> {
    const key = keyOf(caller.teamId, name)
    const made =
      rooms.get(key) ??
      openRoom(caller, name, () => {
        if (rooms.get(key) === made) rooms.delete(key)
      })
    rooms.set(key, made)
    try {
      const room = await made
      if (room.isClosed) return await enter(caller, name)
      if (room.connections.size >= socketsPerRoom) throw new CoherexError('quota_exceeded', 'Too many are connected')
      return room
    } catch (error) {
      if (rooms.get(key) === made && !(await made.catch(() => undefined))) rooms.delete(key)
      throw error
    }
  }

  async function admit(request: IncomingMessage): Promise<Admitted> {
    const admitted = await admitSocket(request, { identifyCaller, publicUrl })
    const { caller } = admitted
    checkAccess(reads, caller)
    const own = [...sockets.open.values()].filter((one) => one.caller.person.id === caller.person.id)
    if (own.length >= socketsPerPerson) throw new CoherexError('quota_exceeded', 'Too many sockets are open')
    return admitted
  }

  /** Bytes that wait for the readers of a team, or for all. */
  function waiting(teamId?: string): number {
    let bytes = 0
    for (const [socket, { caller }] of sockets.open)
      if (teamId === undefined || caller.teamId === teamId) bytes += socket.bufferedAmount
    return bytes
  }

  function connect(socket: WebSocket, room: SyncRoom, name: string, known: Admitted) {
    const { person } = known.caller
    const connection = new SyncConnection({
      socket,
      room,
      name,
      writer: createWriter(known.caller),
      identity: { id: person.id, name: person.name, color: colorOf(person.id) },
      canWrite: mayWrite(known.caller),
      isCrowded: () => waiting(known.caller.teamId) > mostWaiting.team || waiting() > mostWaiting.all,
      log,
    })
    sockets.add(socket, { ...known, connection, name, rounds: 0 })
    socket.on('close', () => connection.leave())
  }

  return {
    takes: (path: string | undefined): boolean => ownPath.test(path ?? ''),

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const name = ownPath.exec(request.url?.split('?', 1)[0] ?? '')?.[1] ?? ''
        const known = await admit(request)
        const { caller } = known
        const room = await actFor(caller.person.id, async () => {
          await (isBlock(name) ? checkBlock(caller, name) : checkWorkspace(caller.teamId, name))
          return enter(caller, name)
        })
        server.handleUpgrade(request, socket, head, (webSocket) => connect(webSocket, room, name, known))
        // where the handshake itself was refused, nobody came
        room.endIfEmpty()
      } catch (error) {
        if (refuseSocket(socket, error) === 500) log.error({ error }, 'a document could not be opened for sync')
      }
    },

    close(): void {
      unsubscribe()
      sockets.close()
      for (const { connection } of sockets.open.values())
        connection.end(new CoherexError('unavailable', 'the server stops'))
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

function keyOf(teamId: string, name: string): string {
  return `${teamId} ${name}`
}
