import { CoherexError, workspaceLimits, type Author } from '@coherex/contract'
import * as Y from 'yjs'
import type { Database, EventBus, Log, Transaction } from '../../base/index.ts'
import type { LoggedUpdate } from '../log-codec.ts'
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
import { entriesOf, filesOf, measure, textIdOf, textOf, type DocumentSize } from './file-tree.ts'
import { beginsAnother, joinTyping, startTyping, type Typing, type TypingRules } from './typing.ts'
import { writeVersion, type Captured, type ClosedVersion, type KnownFile } from './version-writer.ts'

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

/** Says so in the bus when a document's log has grown; other processes that have it open read on. */
export const documentUpdateEvent = 'document-update'

type Waiting = { kind: 'update'; bytes: Uint8Array; author: Author } | { kind: 'version'; version: ClosedVersion }
type Origin = { author: Author; isRemote: boolean }
export type UpdateListener = (update: Uint8Array, author: Author) => void

const largestUpdate = 4_000_000
const tellEveryMs = 20
const announceEveryMs = 250

/**
 * A workspace's document while this process has it open. Every update is in the log before whoever made it hears that it
 * was taken and before anyone else sees it. Only `apply` and `change` may touch `doc`.
 */
export class WorkspaceDocument {
  readonly name: DocumentName
  readonly doc = new Y.Doc()
  readonly #rooms: DocumentRooms
  readonly #settings: DocumentSettings
  readonly #known: Map<string, KnownFile>
  readonly #listeners = new Set<UpdateListener>()
  readonly #endListeners = new Set<(error: CoherexError | undefined) => void>()
  readonly #roots = new Map<unknown, string>()
  #seen: number
  #version: number
  #snapshotBytes: number
  #typing: Typing | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: Waiting[] = []
  #tail: Promise<unknown> = Promise.resolve()
  #nextWrite: Promise<void> | undefined
  #size: DocumentSize
  #ended: { error: CoherexError | undefined } | undefined
  #isArchived: boolean
  #isTelling = false
  #toldAt = 0
  #telling: NodeJS.Timeout | undefined
  #announcing: NodeJS.Timeout | undefined

  /** The document as it is in the store. What a server that was killed left without a version gets one. */
  static async load(rooms: DocumentRooms, name: DocumentName, settings: DocumentSettings): Promise<WorkspaceDocument> {
    const { state, snapshot, updates, files } = await rooms.database.transaction(
      { team: name.teamId },
      async (transaction) => {
        const state_ = await readState(transaction, name)
        if (!state_) throw noSuchWorkspace()
        const snapshot_ = await readSnapshot(transaction, name)
        return {
          state: state_,
          snapshot: snapshot_,
          updates: await readUpdates(transaction, name, snapshot_?.seq ?? 0),
          files: await readFiles(transaction, name),
        }
      },
    )
    const known = new Map(files.map(({ path, ...file }) => [path, file as KnownFile]))
    const document = new WorkspaceDocument(rooms, name, { settings, state, known })
    if (snapshot) {
      Y.applyUpdate(document.doc, snapshot.bytes)
      document.#snapshotBytes = snapshot.bytes.length
    }
    document.#listen()
    // a second process may have written between the reads; its updates are simply newer than the state
    document.#seen = snapshot?.seq ?? 0
    document.#takeRemote(updates, state.versionSeq)
    document.#size = measure(document.doc)
    if (document.#typing || document.#waiting.length > 0) {
      document.#close()
      await document.#write()
    }
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
    this.#seen = state.seq
    this.#version = state.version
    this.#isArchived = state.archived
    this.#snapshotBytes = 0
    this.#size = measure(this.doc)
  }

  /** The number of the last version. */
  get version(): number {
    return this.#version
  }

  get size(): DocumentSize {
    return this.#size
  }

  /** Files as the last version has them. */
  get known(): ReadonlyMap<string, KnownFile> {
    return this.#known
  }

  /** Nobody may change it while it is archived. */
  get isArchived(): boolean {
    return this.#isArchived
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /**
   * Takes an update of a client (V1) as `author`'s. Resolves when it is on disk; refuses what depends on updates that are
   * not here or what would go beyond the limits, and leaves the document as it was.
   */
  async apply(update: Uint8Array, author: Author): Promise<void> {
    this.#checkOpen()
    if (this.#isArchived) throw archived()
    if (update.length > largestUpdate) throw new CoherexError('too_large', 'The update is too large')
    this.#checkRoom(update)
    const now = Date.now()
    if (this.#typing && beginsAnother(this.#typing, author, now, this.#settings.typing)) this.#close()
    const refusal = this.#integrate(update, { author, isRemote: false })
    await this.#write()
    if (refusal) throw new CoherexError('invalid_input', refusal)
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

  /**
   * Makes a change as a version of its own. `work` is called when everything others did before is here; it throws before
   * it touches the document, or not at all.
   */
  async change<T>(author: Author, work: (doc: Y.Doc) => T, options: ChangeOptions = {}): Promise<T> {
    this.#checkOpen()
    let result: { value: T } | { error: unknown } | undefined
    await this.#write((state) => {
      this.#close()
      try {
        if (state.archived) throw archived()
        result = { value: this.doc.transact(() => work(this.doc), { author, isRemote: false } satisfies Origin) }
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
    if (this.#typing || this.#waiting.length > 0) await this.#write(() => this.#close({ message }))
    return this.#version
  }

  /** Whether a file was changed since the last version. */
  isTyped(path: string): boolean {
    if (!this.#typing) return false
    return this.#touched(this.#typing).has(path)
  }

  /** Whether a file was changed after a version, what is not written yet included. */
  hasChangedSince(path: string, number: number): boolean {
    const known = this.#known.get(path)
    if (known && known.number > number) return true
    return (
      this.isTyped(path) || this.#waiting.some((item) => item.kind === 'version' && item.version.captured.has(path))
    )
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
    if (this.#isTelling || this.#ended) return
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

  get #isSettled(): boolean {
    return !this.#typing && this.#waiting.length === 0
  }

  #checkOpen(): void {
    if (this.#ended) throw this.#ended.error ?? new CoherexError('unavailable', 'The workspace was closed: try again')
  }

  /** Near a limit the update is tried on a copy first, because nothing can be taken back from a document. */
  #checkRoom(update: Uint8Array): void {
    const { documentCharacters, fileCharacters, files } = workspaceLimits
    const { characters, largestText, files: count } = this.#size
    const isFar =
      characters + update.length <= documentCharacters &&
      largestText + update.length <= fileCharacters &&
      count + update.length / 8 <= files
    if (isFar) return
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(this.doc))
    Y.applyUpdate(copy, update)
    refuseSize(measure(copy), this.#size)
    copy.destroy()
  }

  #listen(): void {
    this.doc.on('update', (bytes: Uint8Array, origin: Origin, _doc: Y.Doc, transaction: Y.Transaction) => {
      this.#touch(transaction, origin)
      if (origin.isRemote) return this.#emit(bytes, origin.author)
      this.#waiting.push({ kind: 'update', bytes, author: origin.author })
    })
  }

  #touch(transaction: Y.Transaction, { author, isRemote }: Origin): void {
    const typing = (this.#typing ??= startTyping(author, Date.now(), isRemote))
    joinTyping(typing, author, isRemote)
    const files = filesOf(this.doc)
    for (const [type, keys] of transaction.changed) {
      if ((type as unknown) === files) for (const key of keys) if (key !== null) typing.paths.add(key)
      const id = textIdOf(this.#rootName(type) ?? '')
      if (id === undefined) continue
      typing.texts.add(id)
    }
    this.#size = measure(this.doc)
    this.#schedule(typing)
  }

  #rootName(type: unknown): string | undefined {
    if (!this.#roots.has(type)) for (const [name, root] of this.doc.share) this.#roots.set(root, name)
    return this.#roots.get(type)
  }

  #schedule(typing: Typing): void {
    const { pauseMs, longestMs } = this.#settings.typing
    clearTimeout(this.#timer)
    const patience = typing.isRemote ? pauseMs * 2 : pauseMs
    const wait = Math.max(0, Math.min(patience, typing.since + longestMs - Date.now()))
    this.#timer = setTimeout(() => {
      // whoever is affected by a failure is told by onEnd
      void this.closeVersion().catch(() => undefined)
    }, wait)
    this.#timer.unref()
  }

  #touched(typing: Typing): Set<string> {
    const paths = new Set(typing.paths)
    if (typing.texts.size === 0) return paths
    for (const [path, entry] of entriesOf(this.doc)) {
      if (entry.kind === 'text' && typing.texts.has(entry.id)) paths.add(path)
    }
    return paths
  }

  /** Ends the open version as the document is now; it is written with the updates before it. */
  #close({ message, coauthors = [] }: ChangeOptions = {}): void {
    clearTimeout(this.#timer)
    const typing = this.#typing
    if (!typing) return
    this.#typing = undefined
    const entries = entriesOf(this.doc)
    const captured = new Map<string, Captured>()
    for (const path of this.#touched(typing)) {
      const entry = entries.get(path)
      captured.set(path, entry?.kind === 'text' ? { kind: 'text', text: textOf(this.doc, entry.id).toString() } : entry)
    }
    const version = {
      author: typing.author,
      coauthors: [...typing.coauthors, ...coauthors],
      message: message ?? null,
      captured,
    }
    this.#waiting.push({ kind: 'version', version })
  }

  /** Writes what waits, in one transaction however many wait; one transaction after the other. */
  #write(work?: (state: DocumentState) => void): Promise<void> {
    if (!work && this.#nextWrite) return this.#nextWrite
    const written = this.#tail.then(() => {
      if (this.#nextWrite === written) this.#nextWrite = undefined
      return this.#flush(work)
    })
    if (!work) this.#nextWrite = written
    this.#tail = written.catch(() => undefined) // told to whoever awaits it, and by onEnd
    return written
  }

  async #flush(work: ((state: DocumentState) => void) | undefined): Promise<void> {
    this.#checkOpen()
    try {
      const { updates, hasVersions } = await this.#rooms.database.transaction(
        { team: this.name.teamId },
        (transaction) => this.#store(transaction, work),
      )
      for (const { bytes, author } of updates) this.#emit(bytes, author)
      if (updates.length > 0 || hasVersions) this.#tell()
      if (updates.length > 0) this.#announce()
      if (hasVersions) void this.#rooms.events.publish(this.#event('version-made'))
    } catch (error) {
      // what is in memory may not be on disk: the next to open the document reads it again
      if (!(error instanceof CoherexError)) this.#rooms.log.error({ error }, 'a workspace could not be written')
      const told =
        error instanceof CoherexError
          ? error
          : new CoherexError('unavailable', 'The change could not be stored: try again', { cause: error })
      this.#finish(told)
      throw told
    }
  }

  async #store(transaction: Transaction, work: ((state: DocumentState) => void) | undefined) {
    const state = await lockDocument(transaction, this.name)
    if (!state) throw noSuchWorkspace()
    this.#isArchived = state.archived
    await this.#takeMissed(transaction, state)
    // one that types without a pause would keep the log growing
    if (state.logBytes > this.#threshold * 8) this.#close()
    work?.(state)
    const items = this.#waiting
    this.#waiting = []
    const updates = items.filter((item) => item.kind === 'update')
    const bytes = updates.reduce((sum, one) => sum + one.bytes.length, 0)
    if (updates.length > 0) await appendUpdates(transaction, this.name, state.seq, updates)
    const versionBefore = this.#version
    let seq = state.seq
    for (const item of items) {
      if (item.kind === 'update') seq++
      else await this.#storeVersion(transaction, item.version, seq)
    }
    this.#seen = seq
    if (state.logBytes + bytes > this.#threshold && this.#isSettled) await this.#snapshot(transaction)
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

  /** Applies what other processes wrote since this one last looked. */
  async #takeMissed(transaction: Transaction, state: DocumentState): Promise<void> {
    if (state.version > this.#version) {
      const files = await readFiles(transaction, this.name)
      const keyframes = new Map([...this.#known].map(([path, file]) => [path, file.keyframe]))
      this.#known.clear()
      for (const { path, ...file } of files) {
        const keyframe = keyframes.get(path)
        this.#known.set(path, { ...file, ...(keyframe ? { keyframe } : {}) })
      }
      this.#version = state.version
    }
    if (state.seq > this.#seen) await this.#readOn(transaction, state)
    // the process that it came from has made the version
    if (this.#typing?.isRemote && state.versionSeq >= this.#seen) this.#typing = undefined
  }

  async #readOn(transaction: Transaction, state: DocumentState): Promise<void> {
    const snapshot = await readSnapshot(transaction, this.name)
    if (snapshot && snapshot.seq > this.#seen) {
      Y.applyUpdate(this.doc, snapshot.bytes, { author: unknownAuthor, isRemote: true } satisfies Origin)
      this.#seen = snapshot.seq
    }
    this.#takeRemote(await readUpdates(transaction, this.name, this.#seen), state.versionSeq)
  }

  /** Applies updates of the log. Those that no version has yet are grouped into versions as they were when they came. */
  #takeRemote(updates: LoggedUpdate[], versionSeq: number): void {
    for (const { seq, bytes, author, at } of updates) {
      if (seq <= this.#seen) continue
      const isOpen = seq > versionSeq
      const before = this.#typing
      if (isOpen && before && beginsAnother(before, author, at.getTime(), this.#settings.typing)) this.#close()
      Y.applyUpdate(this.doc, bytes, { author, isRemote: true } satisfies Origin)
      if (!isOpen && !before) this.#typing = undefined
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

  #event(type: string) {
    return { teamId: this.name.teamId, type, id: this.name.workspaceId }
  }

  /** To other processes, at once and then at most every few milliseconds. */
  #tell(): void {
    if (this.#telling) return
    const wait = Math.max(0, this.#toldAt + tellEveryMs - Date.now())
    this.#telling = setTimeout(() => {
      this.#telling = undefined
      this.#toldAt = Date.now()
      // this process hears it too, at once
      this.#isTelling = true
      void this.#rooms.events.publish(this.#event(documentUpdateEvent))
      this.#isTelling = false
    }, wait)
  }

  /** To people who look at the workspace; a few times a second is plenty. */
  #announce(): void {
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined
      void this.#rooms.events.publish(this.#event('file-changed'))
    }, announceEveryMs)
  }

  #finish(error: CoherexError | undefined): void {
    if (this.#ended) return
    this.#ended = { error }
    clearTimeout(this.#timer)
    clearTimeout(this.#telling)
    clearTimeout(this.#announcing)
    if (this.#telling) void this.#rooms.events.publish(this.#event(documentUpdateEvent))
    if (this.#announcing) void this.#rooms.events.publish(this.#event('file-changed'))
    for (const listener of this.#endListeners) listener(error)
    this.#listeners.clear()
    this.#endListeners.clear()
  }
}

const unknownAuthor: Author = { kind: 'person', id: 'unknown', name: 'Someone', door: 'studio' }

function archived(): CoherexError {
  return new CoherexError('conflict', 'Cannot change the workspace: it is archived')
}

function noSuchWorkspace(): CoherexError {
  return new CoherexError('not_found', 'There is no such workspace')
}

/** Throws when a document is too large, unless it was so before and has not grown. */
export function refuseSize(after: DocumentSize, before: DocumentSize): void {
  const { documentCharacters, fileCharacters, files } = workspaceLimits
  const refuse = (what: string) => new CoherexError('too_large', `Cannot make the change: ${what}`)
  if (after.characters > documentCharacters && after.characters > before.characters) {
    throw refuse('a workspace holds at most 10 MB of text')
  }
  if (after.largestText > fileCharacters && after.largestText > before.largestText) {
    throw refuse('a file that is edited together has at most 1 MB of text')
  }
  if (after.files > files && after.files > before.files) throw refuse(`a workspace has at most ${files} files`)
}
