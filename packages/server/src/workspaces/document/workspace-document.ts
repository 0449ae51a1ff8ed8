import { CoherexError, type Author } from '@coherex/contract'
import * as Y from 'yjs'
import type { Database, EventBus, Log, Transaction } from '../../base/index.ts'
import { DocumentAnnouncer } from './document-announcer.ts'
import { audienceOf } from './document-audience.ts'
import { refuseUpdate } from './document-limits.ts'
import { DocumentListeners, type EndListener, type UpdateListener } from './document-listeners.ts'
import { DocumentLog, type VersionOptions } from './document-log.ts'
import { DocumentMeter } from './document-meter.ts'
import { lockDocument, readState, type DocumentName, type DocumentState } from './document-store.ts'
import type { DocumentSize } from './file-tree.ts'
import { integrateUpdate, type Origin } from './integrate-update.ts'
import { OpenVersion } from './open-version.ts'
import { readMissed, unread } from './read-missed.ts'
import type { TypingRules } from './typing.ts'
import type { KnownFile } from './version-writer.ts'
import { WriteTicks } from './write-ticks.ts'

export interface DocumentDeps {
  database: Database
  events: EventBus
  log: Log
}

export interface DocumentSettings {
  typing: TypingRules
  /** Bytes of updates after which a snapshot is made. */
  snapshotBytes: number
}

type Work = (state: DocumentState) => void

/**
 * A workspace's document while this process has it open. Every update is in the log before whoever made it hears that it
 * was taken and before anyone else sees it. Only `apply` and `change` may touch `doc`. It is held for all who may use it, so its
 * reading and writing is upkeep: `OpenDocuments` gives a private one to its person alone.
 */
export class WorkspaceDocument {
  readonly name: DocumentName
  /** The one person who may use it; null is the team. */
  readonly privateTo: string | null
  readonly doc = new Y.Doc()
  readonly #deps: DocumentDeps
  readonly #open: OpenVersion
  readonly #announcer: DocumentAnnouncer
  readonly #listeners: DocumentListeners
  readonly #log: DocumentLog
  readonly #meter = new DocumentMeter(this.doc)
  readonly #turns = new WriteTicks<Work>((work) => this.#flush(work))
  #isArchived: boolean
  #ended: { error: CoherexError | undefined } | undefined

  /** The document as it is in the store. What a server that was killed left without a version gets one. */
  static async load(deps: DocumentDeps, name: DocumentName, settings: DocumentSettings): Promise<WorkspaceDocument> {
    const { state, missed } = await deps.database.transaction(
      { team: name.teamId, upkeep: true },
      async (transaction) => {
        const found = await readState(transaction, name)
        if (!found) throw noSuchWorkspace()
        return { state: found, missed: await readMissed(transaction, name, { state: found, seen: unread }) }
      },
    )
    const document = new WorkspaceDocument(deps, name, { settings, state })
    document.#log.begin(state, missed)
    document.#meter.countAll()
    document.#listen()
    document.#log.takeLogged(missed.updates, state.versionSeq)
    if (!document.#log.isSettled) await document.#turns.add(() => document.#log.closeVersion())
    return document
  }

  private constructor(
    deps: DocumentDeps,
    name: DocumentName,
    { settings, state }: { settings: DocumentSettings; state: DocumentState },
  ) {
    this.#deps = deps
    this.name = name
    this.privateTo = state.privateTo
    this.#isArchived = state.archived
    this.#listeners = new DocumentListeners(deps.log)
    this.#announcer = new DocumentAnnouncer(deps.events, name, audienceOf(state))
    this.#open = new OpenVersion({
      doc: this.doc,
      rules: settings.typing,
      // whoever is affected by a failure is told by onEnd
      onPause: () => void this.closeVersion().catch(() => undefined),
    })
    this.#log = new DocumentLog({ name, doc: this.doc, open: this.#open, snapshotBytes: settings.snapshotBytes })
  }

  /** The number of the last version. */
  get version(): number {
    return this.#log.version
  }

  /** Nobody may change it while it is archived. */
  get isArchived(): boolean {
    return this.#isArchived
  }

  get size(): DocumentSize {
    return this.#meter.size
  }

  /** Files as the last version has them. */
  get known(): ReadonlyMap<string, KnownFile> {
    return this.#log.known
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /**
   * Takes an update of a client (V1) as `author`'s. Resolves when it is on disk; refuses what depends on updates that are
   * not here or what would go beyond the limits.
   */
  async apply(update: Uint8Array, author: Author): Promise<void> {
    this.#checkOpen()
    if (this.#isArchived) throw isArchived()
    refuseUpdate(this.doc, this.#meter.size, update)
    const at = Date.now()
    if (this.#open.isClosedBy(author, at)) this.#log.closeVersion()
    const refusal = integrateUpdate(this.doc, update, { author, isRemote: false, at })
    await this.#turns.add()
    if (refusal) throw new CoherexError('invalid_input', refusal)
  }

  /**
   * Makes a change as a version of its own. `work` is called when everything others did before is here; it throws before
   * it touches the document, or not at all.
   */
  async change<T>(author: Author, work: (doc: Y.Doc) => T, options: VersionOptions = {}): Promise<T> {
    this.#checkOpen()
    let result: { value: T } | { error: unknown } | undefined
    await this.#turns.add((state) => {
      this.#log.closeVersion()
      const origin: Origin = { author, isRemote: false, at: Date.now() }
      try {
        if (state.archived) throw isArchived()
        result = { value: this.doc.transact(() => work(this.doc), origin) }
      } catch (error) {
        result = { error }
      }
      this.#log.closeVersion(options)
    })
    if (!result) throw new Error('the change was not made')
    if ('error' in result) throw result.error
    return result.value
  }

  /** Makes a version of what was typed so far; answers the number of the last one. */
  async closeVersion(message?: string): Promise<number> {
    this.#checkOpen()
    if (!this.#log.isSettled || this.#log.isWriting) await this.#turns.add(() => this.#log.closeVersion({ message }))
    return this.#log.version
  }

  /** Whether a file was changed since the last version, by one that is being written included. */
  isTyped(path: string): boolean {
    return this.#log.isTyped(path)
  }

  /** Whether a file was changed after a version, what is not written yet included. */
  hasChangedSince(path: string, number: number): boolean {
    const known = this.known.get(path)
    return (known && known.number > number) || this.isTyped(path)
  }

  /** Hears every update once it is on disk, whichever process took it. */
  onUpdate(listener: UpdateListener): () => void {
    return this.#listeners.onUpdate(listener)
  }

  /** Told once when the document is closed under its users: it was deleted, or the store failed. They open it again. */
  onEnd(listener: EndListener): () => void {
    return this.#listeners.onEnd(listener)
  }

  /** Reads what other processes wrote. */
  async catchUp(): Promise<void> {
    if (this.#announcer.isTelling || this.#ended) return
    await this.#turns.add().catch(() => undefined) // ended, and its users were told
  }

  /** Closes the open version, makes a snapshot where there is something new, and lets go of the document. */
  async end(): Promise<void> {
    if (this.#ended) return
    await this.#turns.add(() => this.#log.closeVersion()).catch(() => undefined) // ended by it, and told
    await this.#turns.settled()
    if (this.#ended) return
    await this.#deps.database
      .transaction({ team: this.name.teamId, upkeep: true }, async (transaction) => {
        const state = await lockDocument(transaction, this.name)
        if (state) await this.#log.writeLastSnapshot(transaction, state)
      })
      .catch((error: unknown) => this.#deps.log.warn({ error }, 'a workspace was closed without a snapshot'))
    this.#finish(undefined)
  }

  #checkOpen(): void {
    if (this.#ended) throw this.#ended.error ?? new CoherexError('unavailable', 'The workspace was closed: try again')
  }

  #listen(): void {
    this.doc.on('update', (bytes: Uint8Array, origin: Origin, _doc: Y.Doc, transaction: Y.Transaction) => {
      this.#meter.count(this.#open.add(transaction, origin.author, origin))
      if (origin.isRemote) this.#listeners.tellUpdate(bytes, origin.author)
      else this.#log.add(bytes, origin.author)
    })
  }

  /** Writes what waits, in one transaction however many wait. */
  async #flush(work: Work | undefined): Promise<void> {
    this.#checkOpen()
    const { database, log } = this.#deps
    try {
      const { updates, hasVersions } = await database
        .transaction({ team: this.name.teamId, upkeep: true }, (transaction) => this.#store(transaction, work))
        .finally(() => this.#log.written())
      for (const { bytes, author } of updates) this.#listeners.tellUpdate(bytes, author)
      if (updates.length > 0 || hasVersions) this.#announcer.tellProcesses()
      if (updates.length > 0) this.#announcer.tellPeople()
      if (hasVersions) this.#announcer.versionMade()
    } catch (cause) {
      // what is in memory may not be on disk: the next to open the document reads it again
      if (!(cause instanceof CoherexError)) log.error({ error: cause }, 'a workspace could not be written')
      const error =
        cause instanceof CoherexError
          ? cause
          : new CoherexError('unavailable', 'The change could not be stored: try again', { cause })
      this.#finish(error)
      throw error
    }
  }

  async #store(transaction: Transaction, work: Work | undefined) {
    const state = await lockDocument(transaction, this.name)
    if (!state) throw noSuchWorkspace()
    this.#isArchived = state.archived
    await this.#log.takeMissed(transaction, state)
    if (this.#log.isOverdue(state)) this.#log.closeVersion()
    work?.(state)
    return this.#log.write(transaction, state)
  }

  #finish(error: CoherexError | undefined): void {
    if (this.#ended) return
    this.#ended = { error }
    this.#open.drop()
    this.#announcer.finish()
    this.#listeners.tellEnd(error)
  }
}

function isArchived(): CoherexError {
  return new CoherexError('conflict', 'Cannot change the workspace: it is archived')
}

export function noSuchWorkspace(): CoherexError {
  return new CoherexError('not_found', 'There is no such workspace')
}
