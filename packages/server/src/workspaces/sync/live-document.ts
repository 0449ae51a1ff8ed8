import { CoherexError, type Author } from '@coherex/contract'
import type * as Y from 'yjs'
import type { BusEvent, Database } from '../../base/index.ts'
import { audienceOf } from '../document/document-audience.ts'
import type { UpdateListener } from '../document/document-listeners.ts'
import type { OpenDocument } from '../document/open-documents.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { claimClients, findStrangeBlobs } from './client-store.ts'
import { placeOfUpdate, type EditPlace } from './place-of-update.ts'
import type { Known } from './shadow-document.ts'
import type { UpdateChecker } from './update-checker.ts'

/** Whoever writes through one connection, and what was found to be theirs. */
export interface Writer {
  author: Author
  personId: string
  known: Known
}

export function createWriter(author: Author, personId: string): Writer {
  return { author, personId, known: { clients: [], blobs: [] } }
}

// a client takes another number when it finds its own in use; more than a few are no accident
const mostClients = 50
const mostBlobs = 10_000

/** A document that clients write to directly. Nothing of theirs touches it before it was tried elsewhere. */
export class LiveDocument {
  readonly #database: Database
  readonly #open: OpenDocument
  readonly #checker: UpdateChecker
  readonly #key: string
  readonly #unfollow: () => void

  constructor(database: Database, open: OpenDocument, checker: UpdateChecker) {
    this.#database = database
    this.#open = open
    this.#checker = checker
    const { teamId, workspaceId } = open.document.name
    this.#key = `${teamId} ${workspaceId}`
    this.#unfollow = open.document.onUpdate((update) => checker.follow(this.#key, update))
  }

  /** Who may hear of what happens in it. */
  get audience(): Pick<BusEvent, 'only'> {
    return audienceOf(this.#document)
  }

  /** The one person who may use it; null is the team. */
  get privateTo(): string | null {
    return this.#document.privateTo
  }

  get doc(): Y.Doc {
    return this.#document.doc
  }

  /** Resolves when everything that is in the document now is on disk. */
  async settled(): Promise<void> {
    await this.#document.catchUp()
    if (this.#document.hasEnded) throw new CoherexError('unavailable', 'The workspace was closed: try again')
  }

  onUpdate(listener: UpdateListener): () => void {
    return this.#document.onUpdate(listener)
  }

  /** Where an update that is in the document wrote last. */
  placeOf(update: Uint8Array): EditPlace | undefined {
    return placeOfUpdate(this.doc, update)
  }

  onEnd(listener: (error: CoherexError | undefined) => void): () => void {
    return this.#document.onEnd(listener)
  }

  /**
   * Checks an update and takes it. What it answers is on its way to disk, and `stored` says when it is there; throws a
   * CoherexError when the update is refused, and then the document is as it was.
   */
  async take(update: Uint8Array, writer: Writer): Promise<{ stored: Promise<void> }> {
    await this.#check(update, writer)
    const stored = this.#document.apply(update, writer.author)
    // whatever the document itself refuses is in the copy
    stored.catch(() => this.#checker.drop(this.#key))
    return { stored }
  }

  /** Makes a client the person's; throws when it is someone else's. */
  async claim(clients: number[], { personId, known }: Writer): Promise<void> {
    const strange = clients.filter((client) => !known.clients.includes(client))
    if (strange.length === 0) return
    if (known.clients.length + strange.length > mostClients) {
      throw new CoherexError('invalid_input', 'One connection writes as too many clients')
    }
    const used = new Set(strange.filter((client) => this.doc.store.clients.has(client)))
    const foreign = await claimClients(this.#database, this.#document.name, { personId, clients: strange, used })
    if (foreign.length > 0) throw new CoherexError('forbidden', 'The update is made in the name of another client')
    known.clients.push(...strange)
  }

  release(): void {
    this.#unfollow()
    this.#checker.drop(this.#key)
    this.#open.release()
  }

  get #document(): WorkspaceDocument {
    return this.#open.document
  }

  async #check(update: Uint8Array, writer: Writer): Promise<void> {
    for (;;) {
      const verdict = await this.#checker.check(this.#key, this.doc, update, writer.known)
      if (verdict.kind === 'fine') return
      if (verdict.kind === 'refused') throw new CoherexError(verdict.code, verdict.reason)
      await this.claim(verdict.clients, writer)
      await this.#allowBlobs(verdict.blobs, writer)
    }
  }

  /** A client may move a blob or bring it back, but not name one that was never put here. */
  async #allowBlobs(hashes: string[], { known }: Writer): Promise<void> {
    if (hashes.length === 0) return
    const strange = await findStrangeBlobs(this.#database, this.#document.name, [...new Set(hashes)])
    if (strange.length > 0)
      throw new CoherexError('invalid_input', 'An entry names a blob that the workspace never had')
    if (known.blobs.length > mostBlobs) known.blobs.length = 0
    known.blobs.push(...hashes)
  }
}
