import type { Author } from '@coherex/contract'
import * as Y from 'yjs'
import type { Transaction } from '../../base/index.ts'
import type { LoggedUpdate } from '../log-codec.ts'
import { appendUpdates, writeSnapshot, type DocumentName, type DocumentState } from './document-store.ts'
import type { Origin } from './integrate-update.ts'
import type { OpenVersion } from './open-version.ts'
import { readMissed, renewKnown, type Missed } from './read-missed.ts'
import { SnapshotRule } from './snapshot-rule.ts'
import { UnwrittenChanges } from './unwritten-changes.ts'
import { writeVersion, type ClosedVersion, type KnownFile } from './version-writer.ts'

export interface DocumentLogOptions {
  name: DocumentName
  doc: Y.Doc
  /** What was changed since the last version. */
  open: OpenVersion
  /** Bytes of updates after which a snapshot is made. */
  snapshotBytes: number
}

/** What a version is told of besides what was typed. */
export interface VersionOptions {
  message?: string | undefined
  coauthors?: Author[] | undefined
}

/**
 * A document and its log in the store: brings in what other processes wrote, and writes what is new here, as updates, versions
 * and snapshots. All that takes a transaction is done while the document is locked.
 */
export class DocumentLog {
  readonly #name: DocumentName
  readonly #doc: Y.Doc
  readonly #open: OpenVersion
  readonly #snapshots: SnapshotRule
  readonly #known = new Map<string, KnownFile>()
  readonly #unwritten = new UnwrittenChanges()
  #seen = 0
  #version = 0

  constructor({ name, doc, open, snapshotBytes }: DocumentLogOptions) {
    this.#name = name
    this.#doc = doc
    this.#open = open
    this.#snapshots = new SnapshotRule(snapshotBytes)
  }

  /** The number of the last version. */
  get version(): number {
    return this.#version
  }

  /** Files as the last version has them. */
  get known(): ReadonlyMap<string, KnownFile> {
    return this.#known
  }

  /** Everything that was changed is in a version that is written or being written. */
  get isSettled(): boolean {
    return this.#open.isEmpty && this.#unwritten.isEmpty
  }

  get isWriting(): boolean {
    return this.#unwritten.isWriting
  }

  /** Whether a file was changed since the last version, by one that is being written included. */
  isTyped(path: string): boolean {
    return this.#open.has(path) || this.#unwritten.changes(path)
  }

  /** An update was made here. */
  add(bytes: Uint8Array, author: Author): void {
    this.#unwritten.add({ kind: 'update', bytes, author })
  }

  /** Ends the open version as the document is now; it is written with the updates before it. */
  closeVersion({ message, coauthors = [] }: VersionOptions = {}): void {
    const version = this.#open.close({ message, coauthors })
    if (version) this.#unwritten.add({ kind: 'version', version })
  }

  /** Begins with a document as it was read; its updates are taken when somebody listens. */
  begin(state: DocumentState, { files = [], snapshot }: Missed): void {
    this.#version = state.version
    renewKnown(this.#known, files)
    if (!snapshot) return
    Y.applyUpdate(this.#doc, snapshot.bytes)
    this.#seen = snapshot.seq
    this.#snapshots.made(snapshot.bytes.length)
  }

  /** Brings in what other processes wrote since this one last looked. */
  async takeMissed(transaction: Transaction, state: DocumentState): Promise<void> {
    const seen = { seq: this.#seen, version: this.#version }
    const { snapshot, updates, files } = await readMissed(transaction, this.#name, { state, seen })
    // nothing is awaited from here on: whoever reads in between would find one version's text and another's number
    if (files) {
      renewKnown(this.#known, files)
      this.#version = state.version
    }
    if (snapshot) {
      // all of it is in versions, so whose it is does not matter any more
      Y.applyUpdate(this.#doc, snapshot.bytes, { author: someone, isRemote: true, at: Date.now() } satisfies Origin)
      this.#seen = snapshot.seq
    }
    this.takeLogged(updates, state.versionSeq)
    // the process that it came from has made the version
    if (this.#open.isRemote && state.versionSeq >= this.#seen) this.#open.drop()
  }

  /** Applies updates of the log. Those that no version has yet are put into versions by who made them and when. */
  takeLogged(updates: LoggedUpdate[], versionSeq: number): void {
    for (const { seq, bytes, author, at } of updates) {
      if (seq <= this.#seen) continue
      const origin: Origin = { author, isRemote: true, at: at.getTime() }
      const hasVersion = seq <= versionSeq
      const wasEmpty = this.#open.isEmpty
      if (!hasVersion && this.#open.isClosedBy(author, origin.at)) this.closeVersion()
      Y.applyUpdate(this.#doc, bytes, origin)
      if (hasVersion && wasEmpty) this.#open.drop()
      this.#seen = seq
    }
  }

  /** Whether someone has typed for so long without a pause that a version must be made for a snapshot's sake. */
  isOverdue({ logBytes }: DocumentState): boolean {
    return this.#snapshots.isOverdue(logBytes)
  }

  /** Writes what waits. From here to the end of the transaction others may type on: what they do waits for the next. */
  async write(transaction: Transaction, state: DocumentState) {
    const items = this.#unwritten.take()
    const updates = items.filter((item) => item.kind === 'update')
    if (updates.length > 0) await appendUpdates(transaction, this.#name, state.seq, updates)
    const versionBefore = this.#version
    let seq = state.seq
    for (const item of items) {
      if (item.kind === 'update') seq++
      else await this.#writeVersion(transaction, item.version, seq)
    }
    this.#seen = seq
    const logBytes = updates.reduce((sum, { bytes }) => sum + bytes.length, state.logBytes)
    // only of what is in versions: the log behind a snapshot is read for those that are not
    if (this.#snapshots.isDue(logBytes) && this.isSettled) await this.#snapshot(transaction)
    return { updates, hasVersions: this.#version > versionBefore }
  }

  /** The transaction is over, well or not. */
  written(): void {
    this.#unwritten.written()
  }

  /** Makes a snapshot of all there is, where the log has something new and nobody else has written. */
  async writeLastSnapshot(transaction: Transaction, state: DocumentState): Promise<void> {
    if (state.logBytes > 0 && state.seq === this.#seen && this.isSettled) await this.#snapshot(transaction)
  }

  async #writeVersion(transaction: Transaction, version: ClosedVersion, seq: number): Promise<void> {
    const number = this.#version + 1
    const changes = await writeVersion(transaction, this.#name, { version, known: this.#known, number, seq })
    if (changes.length > 0) this.#version = number
  }

  async #snapshot(transaction: Transaction): Promise<void> {
    const bytes = Y.encodeStateAsUpdate(this.#doc)
    this.#snapshots.made(bytes.length)
    await writeSnapshot(transaction, this.#name, { seq: this.#seen, bytes })
  }
}

const someone: Author = { kind: 'person', id: 'someone', name: 'Someone', door: 'studio' }
