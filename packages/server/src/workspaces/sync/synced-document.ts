import { CoherexError, type Author } from '@coherex/contract'
import type * as Y from 'yjs'
import type { TeamCaller } from '../../access/index.ts'
import type { EndListener, UpdateListener } from '../document/document-listeners.ts'
import type { EditPlace } from './place-of-update.ts'
import type { Known } from './shadow-document.ts'

/** Whoever writes through one connection, and what was found to be theirs. */
export interface Writer {
  author: Author
  caller: TeamCaller
  known: Known
}

export function createWriter(caller: TeamCaller): Writer {
  const { person, via } = caller
  const door = via === 'session' ? 'studio' : 'api'
  const author: Author = { kind: 'person', id: person.id, name: person.name, door }
  return { author, caller, known: { clients: [], blobs: [] } }
}

/** A document that clients write to directly: the files of a workspace, or one text. Nothing of theirs touches it before it was tried elsewhere. */
export interface SyncedDocument {
  readonly doc: Y.Doc
  /** The one person who may use it; null where others may. */
  readonly privateTo: string | null
  /** Resolves when everything that is in the document now may be shown. */
  settled(): Promise<void>
  onUpdate(listener: UpdateListener): () => void
  /** Where an update that is in the document wrote last. */
  placeOf(update: Uint8Array): EditPlace | undefined
  onEnd(listener: EndListener): () => void
  /**
   * Checks an update and takes it; `stored` says when it is on disk. Throws a CoherexError when the update is refused,
   * and then the document is as it was.
   */
  take(update: Uint8Array, writer: Writer): Promise<{ stored: Promise<void> }>
  /** Makes clients the writer's; throws when one is someone else's. */
  claim(clients: number[], writer: Writer): Promise<void>
  /** Stores what is not on disk without waiting for a pause. */
  storeNow(): void
  release(): void
}

// a client takes another number when it finds its own in use; more than a few are no accident
const mostClients = 50

/** Those of the clients that the writer has not shown to be theirs. */
export function strangeClients(clients: number[], { known }: Writer): number[] {
  const strange = clients.filter((client) => !known.clients.includes(client))
  if (strange.length > 0 && known.clients.length + strange.length > mostClients) {
    throw new CoherexError('invalid_input', 'One connection writes as too many clients')
  }
  return strange
}
