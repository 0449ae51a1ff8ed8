import { CoherexError, type Author } from '@coherex/contract'
import * as Y from 'yjs'
import type { Database, EventBus, Log, Transaction } from '../../base/index.ts'
import type { LoggedUpdate } from '../log-codec.ts'
import { DocumentAnnouncer } from './document-announcer.ts'
import { refuseUpdate } from './document-limits.ts'
import { DocumentMeter } from './document-meter.ts'
import {
  appendUpdates,
  lockDocument,
  readFiles,
  readSnapshot,
  readState,
  readUpdates,
  writeSnapshot,
  type DocumentName,
  type DocumentState,
} from './document-store.ts'
import type { DocumentSize } from './file-tree.ts'
import { OpenVersion } from './open-version.ts'
import type { TypingRules } from './typing.ts'
import { writeVersion, type ClosedVersion, type KnownFile } from './version-writer.ts'

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

type Waiting = { kind: 'update'; bytes: Uint8Array; author: Author } | { kind: 'version'; version: ClosedVersion }
type Work = (state: DocumentState) => void
/** Where a change of the document comes from; `at` is when it was made. */
type Origin = { author: Author; isRemote: boolean; at: number }
export type UpdateListener = (update: Uint8Array, author: Author) => void

/**
 * A workspace's document while this process has it open. Every update is in the log before whoever made it hears that it
 * was taken and before anyone else sees it. Only `apply` and `change` may touch `doc`.
 */
export class WorkspaceDocument {
  readonly name: DocumentName
  readonly doc = new Y.Doc()
  readonly #rooms: DocumentRooms
  readonly #settings: DocumentSettings
  readonly #open: OpenVersion
  readonly #announcer: DocumentAnnouncer
  readonly #meter = new DocumentMeter(this.doc)
  readonly #known: Map<string, KnownFile>
  readonly #listeners = new Set<UpdateListener>()
  readonly #endListeners = new Set<(error: CoherexError | undefined) => void>()
  #seen = 0
  #version: number
  #isArchived: boolean
  #snapshotBytes = 0
  #waiting: Waiting[] = []
  /** Taken by the transaction under way: in the document already, not yet in the last version's number. */
  #storing: Waiting[] = []
  #tail: Promise<unknown> = Promise.resolve()
  #nextWrite: Promise<void> | undefined
  #ended: { error: CoherexError | undefined } | undefined

  /** The document as it is in the store. What a server that was killed left without a version gets one. */
  static async load(rooms: DocumentRooms, name: DocumentName, settings: DocumentSettings): Promise<WorkspaceDocument> {
    const read = async (transaction: Transaction) => {
      const state = await readState(transaction, name)
      if (!state) throw noSuchWorkspace()
      const snapshot = await readSnapshot(transaction, name)
      const updates = await readUpdates(transaction, name, snapshot?.seq ?? 0)
      return { state, snapshot, updates, files: await readFiles(transaction, name) }
    }
    const { state, snapshot, updates, files } = await rooms.database.transaction({ team: name.teamId }, read)
    const known = new Map(files.map(({ path, ...file }) => [path, file as KnownFile]))
    const document = new WorkspaceDocument(rooms, name, { settings, state, known })
    if (snapshot) {
      Y.applyUpdate(document.doc, snapshot.bytes)
      document.#seen = snapshot.seq
      document.#snapshotBytes = snapshot.bytes.length
    }
    document.#meter.countAll()
    document.#listen()
    document.#takeLogged(updates, state.versionSeq)
    if (!document.#isSettled) await document.#write(() => document.#close())
    return document
  }

  private constructor(
    rooms: DocumentRooms,
    name: DocumentName,
    { settings, state, known }: { settings: DocumentSettings; state: DocumentState; known: Map<string, KnownFile> },
  ) {
    this.#rooms = rooms
    this.name = name
    this.#settings = settings
    this.#known = known
    this.#version = state.version
    this.#isArchived = state.archived
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
    const refusal = this.#integrate(update, { author, isRemote: false, at })
    await this.#write()
    if (refusal) throw new CoherexError('invalid_input', refusal)
  }

  /**
   * Makes a change as a version of its own. `work` is called when everything others did before is here; it throws before
   * it touches the document, or not at all.
   */
  async change<T>(author: Author, work: (doc: Y.Doc) => T, options: ChangeOptions = {}): Promise<T> {
    this.#checkOpen()
    let result: { value: T } | { error: unknown } | undefined
    await this.#write((state) => {
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
    if (!this.#isSettled || this.#storing.length > 0) await this.#write(() => this.#close({ message }))
    return this.#version
  }

  /** Whether a file was changed since the last version, by one that is being written included. */
  isTyped(path: string): boolean {
    const isChanged = (item: Waiting) => item.kind === 'version' && item.version.captured.has(path)
    return this.#open.has(path) || this.#waiting.some(isChanged) || this.#storing.some(isChanged)
  }

  /** Whether a file was changed after a version, what is not written yet included. */
  hasChangedSince(path: string, number: number): boolean {
    const known = this.#known.get(path)
    return (known && known.number > number) || this.isTyped(path)
  }

  /** Hears every update once it is on disk, whichever process took it. */
  onUpdate(listener: UpdateListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Told once when the document is closed under its users: it was deleted, or the store failed. They open it again. */
  onEnd(listener: (error: CoherexError | undefined) => void): () => void {
    this.#endListeners.add(listener)
    return () => this.#endListeners.delete(listener)
  }

  /** Reads what other processes wrote. */
  async catchUp(): Promise<void> {
    if (this.#announcer.isTelling || this.#ended) return
    await this.#write().catch(() => undefined) // ended, and its users were told
  }

  /** Closes the open version, makes a snapshot where there is something new, and lets go of the document. */
  async end(): Promise<void> {
    if (this.#ended) return
    await this.#write(() => this.#close()).catch(() => undefined) // ended by it, and told
    await this.#tail
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
    return this.#open.isEmpty && this.#waiting.length === 0
  }

  #checkOpen(): void {
    if (this.#ended) throw this.#ended.error ?? new CoherexError('unavailable', 'The workspace was closed: try again')
  }

  #listen(): void {
    this.doc.on('update', (bytes: Uint8Array, origin: Origin, _doc: Y.Doc, transaction: Y.Transaction) => {
      this.#meter.count(this.#open.add(transaction, origin.author, origin))
      if (origin.isRemote) this.#emit(bytes, origin.author)
      else this.#waiting.push({ kind: 'update', bytes, author: origin.author })
    })
  }

  /** Puts an update into the document; answers why not all of it could be. */
  #integrate(update: Uint8Array, origin: Origin): string | undefined {
    try {
      Y.applyUpdate(this.doc, update, origin)
    } catch {
      return 'That is no update of a document'
    }
    const { store } = this.doc
    if (store.pendingStructs === null && store.pendingDs === null) return undefined
    // kept, they would be tried again with every update that follows
    store.pendingStructs = null
    store.pendingDs = null
    return 'The update builds on updates that are not here: sync first'
  }

  /** Ends the open version as the document is now; it is written with the updates before it. */
  #close({ message, coauthors = [] }: ChangeOptions = {}): void {
    const version = this.#open.close({ message, coauthors })
    if (version) this.#waiting.push({ kind: 'version', version })
  }

  /** Writes what waits, in one transaction however many wait; one transaction after the other. */
  #write(work?: Work): Promise<void> {
    if (!work && this.#nextWrite) return this.#nextWrite
    const written = this.#tail.then(() => {
      if (this.#nextWrite === written) this.#nextWrite = undefined
      return this.#flush(work)
    })
    if (!work) this.#nextWrite = written
    this.#tail = written.catch(() => undefined) // told to whoever awaits it, and by onEnd
    return written
  }

  async #flush(work: Work | undefined): Promise<void> {
    this.#checkOpen()
    const { database, log } = this.#rooms
    try {
      const { updates, hasVersions } = await database
        .transaction({ team: this.name.teamId }, (transaction) => this.#store(transaction, work))
        .finally(() => (this.#storing = []))
      for (const { bytes, author } of updates) this.#emit(bytes, author)
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
    // one that types without a pause would keep the log growing
    if (state.logBytes > this.#threshold * 8) this.#close()
    work?.(state)
    // from here to the end of the transaction others may type on: what they do waits for the next
    const items = this.#waiting
    this.#waiting = []
    this.#storing = items
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
    if (logBytes > this.#threshold && this.#isSettled) await this.#snapshot(transaction)
    return { updates, hasVersions: this.#version > versionBefore }
  }

  async #storeVersion(transaction: Transaction, version: ClosedVersion, seq: number): Promise<void> {
    const number = this.#version + 1
    const changes = await writeVersion(transaction, this.name, { version, known: this.#known, number, seq })
    if (changes.length > 0) this.#version = number
  }

  get #threshold(): number {
    // of a large document a snapshot costs more than a few more updates do
    return Math.max(this.#settings.snapshotBytes, this.#snapshotBytes / 20)
  }

  async #snapshot(transaction: Transaction): Promise<void> {
    const bytes = Y.encodeStateAsUpdate(this.doc)
    this.#snapshotBytes = bytes.length
    await writeSnapshot(transaction, this.name, { seq: this.#seen, bytes })
  }

  /** Brings in what other processes wrote since this one last looked. */
  async #takeMissed(transaction: Transaction, state: DocumentState): Promise<void> {
    const files = state.version > this.#version ? await readFiles(transaction, this.name) : undefined
    const isBehind = state.seq > this.#seen
    const snapshot = isBehind ? await readSnapshot(transaction, this.name) : undefined
    const since = Math.max(this.#seen, snapshot?.seq ?? 0)
    const updates = isBehind ? await readUpdates(transaction, this.name, since) : []
    // nothing is awaited from here on: whoever reads in between would find one version's text and another's number
    if (files) this.#takeFiles(files, state.version)
    if (snapshot && snapshot.seq > this.#seen) {
      // all of it is in versions, so whose it is does not matter any more
      Y.applyUpdate(this.doc, snapshot.bytes, { author: someone, isRemote: true, at: Date.now() } satisfies Origin)
      this.#seen = snapshot.seq
    }
    this.#takeLogged(updates, state.versionSeq)
    // the process that it came from has made the version
    if (this.#open.isRemote && state.versionSeq >= this.#seen) this.#open.drop()
  }

  #takeFiles(files: Awaited<ReturnType<typeof readFiles>>, version: number): void {
    const before = new Map(this.#known)
    this.#known.clear()
    for (const { path, ...file } of files) {
      const keyframe = before.get(path)?.keyframe
      this.#known.set(path, keyframe ? { ...file, keyframe } : file)
    }
    this.#version = version
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

  #emit(bytes: Uint8Array, author: Author): void {
    for (const listener of this.#listeners) {
      try {
        listener(bytes, author)
      } catch (error) {
        // one listener's fault must not keep the update from the others
        this.#rooms.log.error({ error }, 'a listener of a workspace failed')
      }
    }
  }

  #finish(error: CoherexError | undefined): void {
    if (this.#ended) return
    this.#ended = { error }
    this.#open.drop()
    this.#announcer.finish()
    for (const listener of this.#endListeners) listener(error)
    this.#listeners.clear()
    this.#endListeners.clear()
  }
}

const someone: Author = { kind: 'person', id: 'someone', name: 'Someone', door: 'studio' }

function isArchived(): CoherexError {
  return new CoherexError('conflict', 'Cannot change the workspace: it is archived')
}

function noSuchWorkspace(): CoherexError {
  return new CoherexError('not_found', 'There is no such workspace')
}
