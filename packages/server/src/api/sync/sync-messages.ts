import { IncomingMessage, MessageType, OutgoingMessage } from '@hocuspocus/server'
import {
  writeSyncStep1,
  writeSyncStep2,
  messageYjsSyncStep1,
  messageYjsSyncStep2,
  messageYjsUpdate,
} from 'y-protocols/sync'
import type * as Y from 'yjs'

/** What a client says, in hocuspocus' protocol. */
export type ClientMessage =
  | { kind: 'auth' | 'query-awareness' | 'close' | 'other' }
  | { kind: 'state-vector' | 'missing' | 'update' | 'awareness'; bytes: Uint8Array }

const syncKinds = new Map<number, 'state-vector' | 'missing' | 'update'>([
  [messageYjsSyncStep1, 'state-vector'],
  [messageYjsSyncStep2, 'missing'],
  [messageYjsUpdate, 'update'],
])
const longestAddress = 200

/** Throws when it is none. The address is the document's name, with a session behind a NUL where a client has several. */
export function readMessage(data: Uint8Array): { address: string; message: ClientMessage } {
  const incoming = new IncomingMessage(data)
  const address = incoming.readVarString()
  if (address.length > longestAddress) throw new Error('the address is too long')
  const type = incoming.readVarUint() as MessageType
  if (type === MessageType.Sync || type === MessageType.SyncReply) {
    const kind = syncKinds.get(incoming.readVarUint())
    if (!kind) throw new Error('there is no such sync message')
    return { address, message: { kind, bytes: incoming.readVarUint8Array() } }
  }
  if (type === MessageType.Awareness) {
    return { address, message: { kind: 'awareness', bytes: incoming.readVarUint8Array() } }
  }
  if (type === MessageType.Auth) return { address, message: { kind: 'auth' } }
  if (type === MessageType.QueryAwareness) return { address, message: { kind: 'query-awareness' } }
  if (type === MessageType.CLOSE) return { address, message: { kind: 'close' } }
  if (type === MessageType.Stateless) return { address, message: { kind: 'other' } }
  throw new Error('there is no such message')
}

export const pingMessage = Uint8Array.of(MessageType.Ping)

export function authenticated(address: string, { isReadOnly }: { isReadOnly: boolean }): Uint8Array {
  return new OutgoingMessage(address).writeAuthenticated(isReadOnly).toUint8Array()
}

/** What the document has and a client with this state vector has not. */
export function missing(address: string, doc: Y.Doc, stateVector: Uint8Array): Uint8Array {
  const message = new OutgoingMessage(address).createSyncMessage()
  writeSyncStep2(message.encoder, doc, stateVector)
  return message.toUint8Array()
}

/** Asks for what the client has and the document has not. */
export function stateVector(address: string, doc: Y.Doc): Uint8Array {
  const message = new OutgoingMessage(address).createSyncMessage()
  writeSyncStep1(message.encoder, doc)
  return message.toUint8Array()
}

export function update(address: string, bytes: Uint8Array): Uint8Array {
  return new OutgoingMessage(address).createSyncMessage().writeUpdate(bytes).toUint8Array()
}

/** Whether a change of the client is on disk. */
export function status(address: string, isStored: boolean): Uint8Array {
  return new OutgoingMessage(address).writeSyncStatus(isStored).toUint8Array()
}
