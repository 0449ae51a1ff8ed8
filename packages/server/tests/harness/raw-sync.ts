import { MessageType, OutgoingMessage } from '@hocuspocus/server'
import WebSocket from 'ws'
import * as Y from 'yjs'

/** A client that says whatever it likes over a sync socket. */
export interface RawSync {
  update(bytes: Uint8Array): void
  /** As an answer to what the server says it has. */
  missing(bytes: Uint8Array): void
  /** All that was sent before has been taken. */
  answered(): Promise<void>
  awareness(states: [client: number, state: unknown][]): void
  send(bytes: Uint8Array): void
  /** How the socket ended. */
  closed: Promise<{ code: number; reason: string }>
  close(): void
}

export interface RawSyncOptions {
  url: string
  workspaceId: string
  headers: Record<string, string>
}

/** Opens a socket and greets as a client does that has nothing of its own. */
export async function openRawSync({ url, workspaceId, headers }: RawSyncOptions): Promise<RawSync> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/sync/${workspaceId}`, { headers })
  socket.on('error', () => undefined) // followed by its close
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise((resolve) => socket.once('open', resolve))
  const sync = (kind: number, bytes: Uint8Array) => {
    const outgoing = new OutgoingMessage(workspaceId).createSyncMessage().writeUpdate(bytes)
    const encoded = outgoing.toUint8Array()
    // name, type, then which sync message it is
    encoded[workspaceId.length + 2] = kind
    return encoded
  }
  const nothing = new Y.Doc()
  const synced = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data[workspaceId.length + 1] === MessageType.SyncStatus) resolve()
    })
  })
  socket.send(sync(0, Y.encodeStateVector(nothing)))
  socket.send(sync(1, Y.encodeStateAsUpdate(nothing)))
  await synced
  return {
    update: (bytes) => socket.send(sync(2, bytes)),
    missing: (bytes) => socket.send(sync(1, bytes)),
    answered() {
      socket.send(sync(0, Y.encodeStateVector(nothing)))
      return new Promise((resolve) => {
        socket.on('message', (data: Buffer) => {
          // what the server has, which it tells only when asked
          if (data[workspaceId.length + 1] === MessageType.Sync && data[workspaceId.length + 2] === 1) resolve()
        })
      })
    },
    awareness(states) {
      const clients = states.map(([client]) => client)
      const awareness = {
        states: new Map(states),
        meta: new Map(states.map(([client]) => [client, { clock: 1, lastUpdated: 0 }])),
      }
      const message = new OutgoingMessage(workspaceId).createAwarenessUpdateMessage(awareness as never, clients)
      socket.send(message.toUint8Array())
    },
    send: (bytes) => socket.send(bytes),
    closed,
    close: () => socket.terminate(),
  }
}

/** A message of a kind that only servers send to each other. */
export function internalMessage(workspaceId: string): Uint8Array {
  const outgoing = new OutgoingMessage(workspaceId).writeBroadcastStateless('{}').toUint8Array()
  if (outgoing[workspaceId.length + 1] !== MessageType.BroadcastStateless) throw new Error('no such message')
  return outgoing
}
