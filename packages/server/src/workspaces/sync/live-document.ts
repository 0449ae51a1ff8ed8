import { CoherexError } from '@coherex/contract'
import type * as Y from 'yjs'
import type { BusEvent, Database } from '../../base/index.ts'
import { audienceOf } from '../document/document-audience.ts'
import type { EndListener, UpdateListener } from '../document/document-listeners.ts'
import type { OpenDocument } from '../document/open-documents.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { claimClients, findStrangeBlobs } from './client-store.ts'
import { placeOfUpdate, type EditPlace } from './place-of-update.ts'
import { strangeClients, type SyncedDocument, type Writer } from './synced-document.ts'
import type { UpdateChecker } from './update-checker.ts'

const mostBlobs = 10_000

/** The files of a workspace, as clients write to them directly. */
export class LiveDocument implements SyncedDocument {
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

  async settled(): Promise<void> {
    await this.#document.catchUp()
    if (this.#document.hasEnded) throw new CoherexError('unavailable', 'The workspace was closed: try again')
  }

  onUpdate(listener: UpdateListener): () => void {
    return this.#document.onUpdate(listener)
  }

  placeOf(update: Uint8Array): EditPlace | undefined {
    return placeOfUpdate(this.doc, update)
  }

  onEnd(listener: EndListener): () => void {
    return this.#document.onEnd(listener)
  }

  async take(update: Uint8Array, writer: Writer): Promise<{ stored: Promise<void> }> {
    await this.#check(update, writer)
    const stored = this.#document.apply(update, writer.author)
    // whatever the document itself refuses is in the copy
    stored.catch(() => this.#checker.drop(this.#key))
    return { stored }
  }

  async claim(clients: number[], writer: Writer): Promise<void> {
    const strange = strangeClients(clients, writer)
    if (strange.length === 0) return
    const used = new Set(strange.filter((client) => this.doc.store.clients.has(client)))
    const personId = writer.caller.person.id
    const foreign = await claimClients(this.#database, this.#document.name, { personId, clients: strange, used })
    if (foreign.length > 0) throw new CoherexError('forbidden', 'The update is made in the name of another client')
    writer.known.clients.push(...strange)
  }

  /** It is on its way already. */
  storeNow(): void {}

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
