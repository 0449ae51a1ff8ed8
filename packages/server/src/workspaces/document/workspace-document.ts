import { CoherexError, type Author } from '@coherex/contract'
import * as Y from 'yjs'
import type { Database, EventBus, Log, Transaction } from '../../base/index.ts'
import type { LoggedUpdate } from '../log-codec.ts'
import { DocumentAnnouncer } from './document-announcer.ts'
import { refuseUpdate } from './document-limits.ts'
import { DocumentListeners, type EndListener, type UpdateListener } from './document-listeners.ts'
import { DocumentMeter } from './document-meter.ts'
import {
  appendUpdates,
  lockDocument,
  readState,
  writeSnapshot,
  type DocumentName,
  type DocumentState,
} from './document-store.ts'
import type { DocumentSize } from './file-tree.ts'
import { integrateUpdate, type Origin } from './integrate-update.ts'
import { OpenVersion } from './open-version.ts'
import { readMissed, renewKnown, unread } from './read-missed.ts'
import { SnapshotRule } from './snapshot-rule.ts'
import type { TypingRules } from './typing.ts'
import { UnwrittenChanges } from './unwritten-changes.ts'
import { writeVersion, type ClosedVersion, type KnownFile } from './version-writer.ts'
import { WriteTurns } from './write-turns.ts'

export interface DocumentRooms {
  database: Database
  events: EventBus
  log: Log
}

export interface DocumentSettings {
  typing: TypingRules
  /** Bytes of updates after which a snapshot is made. */
  snapshotBytes: number
}

export interface ChangeOptions {
  message?: string | undefined
  coauthors?: Author[] | undefined
}

type Work = (state: DocumentState) => void

/**
 * A workspace's document while this process has it open. Every update is in the log before whoever made it hears that it
 * was taken and before anyone else sees it. Only `apply` and `change` may touch `doc`.
 */
export class WorkspaceDocument {
  readonly name: DocumentName
  readonly doc = new Y.Doc()
  readonly #rooms: DocumentRooms
  readonly #open: OpenVersion
  readonly #announcer: DocumentAnnouncer
  readonly #listeners: DocumentListeners
  readonly #snapshots: SnapshotRule
  readonly #meter = new DocumentMeter(this.doc)
  readonly #known = new Map<string, KnownFile>()
  readonly #unwritten = new UnwrittenChanges()
  readonly #turns = new WriteTurns<Work>((work) => this.#flush(work))
  #seen = 0
  #version: number
  #isArchived: boolean
  #ended: { error: CoherexError | undefined } | undefined

  /** The document as it is in the store. What a server that was killed left without a version gets one. */
  static async load(rooms: DocumentRooms, name: DocumentName, settings: DocumentSettings): Promise<WorkspaceDocument> {
    const { state, missed } = await rooms.database.transaction({ team: name.teamId }, async (transaction) => {
      const found = await readState(transaction, name)
      if (!found) throw noSuchWorkspace()
      return { state: found, missed: await readMissed(transaction, name, { state: found, seen: unread }) }
    })
    const { snapshot, updates, files = [] } = missed
    const document = new WorkspaceDocument(rooms, name, { settings, state })
    renewKnown(document.#known, files)
    if (snapshot) {
      Y.applyUpdate(document.doc, snapshot.bytes)
      document.#seen = snapshot.seq
      document.#snapshots.made(snapshot.bytes.length)
    }
    document.#meter.countAll()
    document.#listen()
    document.#takeLogged(updates, state.versionSeq)
    if (!document.#isSettled) await document.#turns.add(() => document.#close())
    return document
  }

  private constructor(
    rooms: DocumentRooms,
    name: DocumentName,
    { settings, state }: { settings: DocumentSettings; state: DocumentState },
  ) {
    this.#rooms = rooms
    this.name = name
    this.#version = state.version
    this.#isArchived = state.archived
    this.#snapshots = new SnapshotRule(settings.snapshotBytes)
    this.#listeners = new DocumentListeners(rooms.log)
    this.#announcer = new DocumentAnnouncer(rooms.events, name)
    this.#open = new OpenVersion({
      doc: this.doc,
      rules: settings.typing,
      // whoever is affected by a failure is told by onEnd
      onPause: () => void this.closeVersion().catch(() => undefined),
    })
  }

  /** The number of the last version. */
  get version(): number {
    return this.#version
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
    return this.#known
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
    if (this.#open.isClosedBy(author, at)) this.#close()
    const refusal = integrateUpdate(this.doc, update, { author, isRemote: false, at })
    await this.#turns.add()
    if (refusal) throw new CoherexError('invalid_input', refusal)
  }

  /**
   * Makes a change as a version of its own. `work` is called when everything others did before is here; it throws before
   * it touches the document, or not at all.
   */
  async change<T>(author: Author, work: (doc: Y.Doc) => T, options: ChangeOptions = {}): Promise<T> {
    this.#checkOpen()
    let result: { value: T } | { error: unknown } | undefined
    await this.#turns.add((state) => {
      this.#close()
      const origin: Origin = { author, isRemote: false, at: Date.now() }
      try {
        if (state.archived) throw isArchived()
        result = { value: this.doc.transact(() => work(this.doc), origin) }
      } catch (error) {
        result = { error }
      }
      this.#close(options)
    })
    if (!result) throw new Error('the change was not made')
    if ('error' in result) throw result.error
    return result.value
  }

  /** Makes a version of what was typed so far; answers the number of the last one. */
  async closeVersion(message?: string): Promise<number> {
    this.#checkOpen()
    if (!this.#isSettled || this.#unwritten.isWriting) await this.#turns.add(() => this.#close({ message }))
    return this.#version
  }

  /** Whether a file was changed since the last version, by one that is being written included. */
  isTyped(path: string): boolean {
    return this.#open.has(path) || this.#unwritten.changes(path)
  }

  /** Whether a file was changed after a version, what is not written yet included. */
  hasChangedSince(path: string, number: number): boolean {
    const known = this.#known.get(path)
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
    await this.#turns.add(() => this.#close()).catch(() => undefined) // ended by it, and told
    await this.#turns.settled()
    if (this.#ended) return
    await this.#rooms.database
      .transaction({ team: this.name.teamId }, async (transaction) => {
        const state = await lockDocument(transaction, this.name)
        if (state && state.logBytes > 0 && state.seq === this.#seen && this.#isSettled)
          await this.#snapshot(transaction)
      })
      .catch((error: unknown) => this.#rooms.log.warn({ error }, 'a workspace was closed without a snapshot'))
    this.#finish(undefined)
  }

  /** Everything that was changed is in a version. */
  get #isSettled(): boolean {
    return this.#open.isEmpty && this.#unwritten.isEmpty
  }

  #checkOpen(): void {
    if (this.#ended) throw this.#ended.error ?? new CoherexError('unavailable', 'The workspace was closed: try again')
  }

  #listen(): void {
    this.doc.on('update', (bytes: Uint8Array, origin: Origin, _doc: Y.Doc, transaction: Y.Transaction) => {
      this.#meter.count(this.#open.add(transaction, origin.author, origin))
      if (origin.isRemote) this.#listeners.tellUpdate(bytes, origin.author)
      else this.#unwritten.add({ kind: 'update', bytes, author: origin.author })
    })
  }

  /** Ends the open version as the document is now; it is written with the updates before it. */
  #close({ message, coauthors = [] }: ChangeOptions = {}): void {
    const version = this.#open.close({ message, coauthors })
    if (version) this.#unwritten.add({ kind: 'version', version })
  }

  /** Writes what waits, in one transaction however many wait. */
  async #flush(work: Work | undefined): Promise<void> {
    this.#checkOpen()
    const { database, log } = this.#rooms
    try {
      const { updates, hasVersions } = await database
        .transaction({ team: this.name.teamId }, (transaction) => this.#store(transaction, work))
        .finally(() => this.#unwritten.written())
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
    await this.#takeMissed(transaction, state)
    if (this.#snapshots.isOverdue(state.logBytes)) this.#close()
    work?.(state)
    // from here to the end of the transaction others may type on: what they do waits for the next
    const items = this.#unwritten.take()
    const updates = items.filter((item) => item.kind === 'update')
    if (updates.length > 0) await appendUpdates(transaction, this.name, state.seq, updates)
    const versionBefore = this.#version
    let seq = state.seq
    for (const item of items) {
      if (item.kind === 'update') seq++
      else await this.#storeVersion(transaction, item.version, seq)
    }
    this.#seen = seq
    const logBytes = updates.reduce((sum, { bytes }) => sum + bytes.length, state.logBytes)
    // only of what is in versions: the log behind a snapshot is read for those that are not
    if (this.#snapshots.isDue(logBytes) && this.#isSettled) await this.#snapshot(transaction)
    return { updates, hasVersions: this.#version > versionBefore }
  }

  async #storeVersion(transaction: Transaction, version: ClosedVersion, seq: number): Promise<void> {
    const number = this.#version + 1
    const changes = await writeVersion(transaction, this.name, { version, known: this.#known, number, seq })
    if (changes.length > 0) this.#version = number
  }

  async #snapshot(transaction: Transaction): Promise<void> {
    const bytes = Y.encodeStateAsUpdate(this.doc)
    this.#snapshots.made(bytes.length)
    await writeSnapshot(transaction, this.name, { seq: this.#seen, bytes })
  }

  /** Brings in what other processes wrote since this one last looked. */
  async #takeMissed(transaction: Transaction, state: DocumentState): Promise<void> {
    const seen = { seq: this.#seen, version: this.#version }
    const { snapshot, updates, files } = await readMissed(transaction, this.name, { state, seen })
    // nothing is awaited from here on: whoever reads in between would find one version's text and another's number
    if (files) {
      renewKnown(this.#known, files)
      this.#version = state.version
    }
    if (snapshot) {
      // all of it is in versions, so whose it is does not matter any more
      Y.applyUpdate(this.doc, snapshot.bytes, { author: someone, isRemote: true, at: Date.now() } satisfies Origin)
      this.#seen = snapshot.seq
    }
    this.#takeLogged(updates, state.versionSeq)
    // the process that it came from has made the version
    if (this.#open.isRemote && state.versionSeq >= this.#seen) this.#open.drop()
  }

  /** Applies updates of the log. Those that no version has yet are put into versions by who made them and when. */
  #takeLogged(updates: LoggedUpdate[], versionSeq: number): void {
    for (const { seq, bytes, author, at } of updates) {
      if (seq <= this.#seen) continue
      const origin: Origin = { author, isRemote: true, at: at.getTime() }
      const hasVersion = seq <= versionSeq
      const wasEmpty = this.#open.isEmpty
      if (!hasVersion && this.#open.isClosedBy(author, origin.at)) this.#close()
      Y.applyUpdate(this.doc, bytes, origin)
      if (hasVersion && wasEmpty) this.#open.drop()
      this.#seen = seq
    }
  }

  #finish(error: CoherexError | undefined): void {
    if (this.#ended) return
    this.#ended = { error }
    this.#open.drop()
    this.#announcer.finish()
    this.#listeners.tellEnd(error)
  }
}

const someone: Author = { kind: 'person', id: 'someone', name: 'Someone', door: 'studio' }

function isArchived(): CoherexError {
  return new CoherexError('conflict', 'Cannot change the workspace: it is archived')
}

function noSuchWorkspace(): CoherexError {
  return new CoherexError('not_found', 'There is no such workspace')
}
