import type { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { openLine, type Line } from './open-line.ts'
import { peersOf, type Peer } from './peers.ts'
import { filesOf, pathOfText, textIdAt, textLostIn, textOf, textPaths } from './text-entries.ts'
import { UnsentEdits } from './unsent-edits.ts'

export type LiveState =
  | { kind: 'connecting' }
  | { kind: 'saved' }
  | { kind: 'saving' }
  | { kind: 'offline'; changes: number }
  /** The server did not take what was typed, and would not take it again. */
  | { kind: 'refused'; reason: string }

/** Where one is, for others to see. */
export interface OwnPlace {
  file: string | undefined
  selection: { anchor: unknown; head: unknown } | undefined
}

/** A text of the workspace as it is now. */
export interface LiveText {
  id: string
  text: Y.Text
}

// what the server would answer to the same again: 4400, 4403 and 4413
const refusals = [4400, 4403, 4413]
const storedWithinMs = 3000

/** The document of a workspace that several edit at once, with the line to the server. */
export class LiveWorkspace {
  readonly kind = 'workspace'
  readonly id: string
  readonly doc = new Y.Doc()
  readonly awareness: Awareness
  readonly #me: string
  readonly #line: Line
  readonly #socket: HocuspocusProviderWebsocket
  readonly #provider: HocuspocusProvider
  readonly #unsent: UnsentEdits
  readonly #listeners = new Set<() => void>()
  #state: LiveState = { kind: 'connecting' }
  #peers: readonly Peer[] = []
  #isConnected = false
  #wasSynced = false
  #refusal: string | undefined
  #place: OwnPlace = { file: undefined, selection: undefined }

  constructor(id: string, me: string) {
    this.id = id
    this.#me = me
    this.#unsent = new UnsentEdits(id, this.doc.clientID)
    this.#line = openLine(id, this.doc)
    const { socket, provider, awareness } = this.#line
    this.#socket = socket
    this.#provider = provider
    this.awareness = awareness
    this.#listen()
    this.#provider.attach()
  }

  get state(): LiveState {
    return this.#state
  }

  /** The others, each client once. */
  get peers(): readonly Peer[] {
    return this.#peers
  }

  /** Everything the server has is here; from then on files are read and typed in, with the line or without. */
  get isReady(): boolean {
    return this.#wasSynced
  }

  /** Hears of each new state, and of people who come, move or go. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  textAt(path: string): LiveText | undefined {
    const id = this.#wasSynced ? textIdAt(this.doc, path) : undefined
    return id === undefined ? undefined : { id, text: textOf(this.doc, id) }
  }

  paths(): string[] {
    return textPaths(this.doc)
  }

  /** All texts by their paths, as they are now. */
  texts(): [string, string][] {
    return this.paths().flatMap((path) => {
      const found = this.textAt(path)
      return found ? [[path, found.text.toString()]] : []
    })
  }

  /** Where a text is now; undefined when its file is gone. */
  pathOf(id: string): string | undefined {
    return pathOfText(this.doc, id)
  }

  /** Hears of files that came, moved or went. */
  onFiles(listener: (transaction: Y.Transaction) => void): () => void {
    const files = filesOf(this.doc)
    const hear = (_event: unknown, transaction: Y.Transaction) => listener(transaction)
    files.observe(hear)
    return () => files.unobserve(hear)
  }

  /** What was in a file that a transaction deleted; undefined when it deleted none there. */
  textLostIn(transaction: Y.Transaction, path: string): string | undefined {
    return textLostIn(this.doc, transaction, path)
  }

  /** Shows others where one is. */
  show(place: Partial<OwnPlace>): void {
    this.#place = { ...this.#place, ...place }
    const { file, selection } = this.#place
    this.awareness.setLocalState({ ...(file ? { file } : {}), ...(selection ? { selection } : {}) })
  }

  /** Resolves when what was typed is on the server's disk: true; or when that takes too long: false. */
  async stored(): Promise<boolean> {
    if (this.#unsent.count === 0) return true
    return new Promise((resolve) => {
      const settle = (isStored: boolean) => {
        clearTimeout(timer)
        unsubscribe()
        resolve(isStored)
      }
      const timer = setTimeout(() => settle(false), storedWithinMs)
      const unsubscribe = this.subscribe(() => this.#unsent.count === 0 && settle(true))
    })
  }

  close(): void {
    this.#unsent.keep()
    removeEventListener('offline', this.#goOffline)
    removeEventListener('online', this.#goOnline)
    removeEventListener('pagehide', this.#keep)
    removeEventListener('beforeunload', this.#warn)
    this.#listeners.clear()
    this.#line.close()
    this.doc.destroy()
  }

  /** Forgets what the server refused. The document is to be opened anew. */
  discardRefused(): void {
    this.#unsent.clear()
    this.close()
  }

  #listen(): void {
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === this.#provider) return
      this.#unsent.add(update)
      this.#tell()
    })
    this.#provider.on('open', () => {
      // what the socket kept while it was away is in the document, and that is synced
      Object.assign(this.#socket, { messageQueue: [] })
    })
    this.#provider.on('synced', () => this.#synced())
    this.#provider.on('unsyncedChanges', ({ number }: { number: number }) => {
      if (number === 0) this.#unsent.clear()
      this.#tell()
    })
    this.#provider.on('status', ({ status }: { status: string }) => {
      this.#isConnected = status === 'connected'
      this.#tell()
    })
    this.#provider.on('close', ({ event }: { event: CloseEvent }) => {
      if (!refusals.includes(event.code)) return
      this.#refusal = event.reason
      this.#socket.disconnect()
      this.#tell()
    })
    this.awareness.on('change', () => {
      const next = peersOf(this.awareness, this.#me)
      // one's own moves are told of too
      if (JSON.stringify(next) !== JSON.stringify(this.#peers)) this.#peers = next
      this.#tell()
    })
    addEventListener('offline', this.#goOffline)
    addEventListener('online', this.#goOnline)
    addEventListener('pagehide', this.#keep)
    addEventListener('beforeunload', this.#warn)
  }

  #synced(): void {
    if (!this.#wasSynced) {
      this.#wasSynced = true
      this.#unsent.adoptLeft((update) => Y.applyUpdate(this.doc, update, 'left'))
    }
    this.#tell()
  }

  readonly #goOffline = () => this.#socket.disconnect()

  readonly #goOnline = () => {
    if (this.#refusal === undefined) void this.#socket.connect()
  }

  readonly #keep = () => void this.#unsent.keep()

  /** Only where the browser could not keep what was typed. */
  readonly #warn = (event: BeforeUnloadEvent) => {
    if (this.#unsent.count > 0 && !this.#unsent.keep()) event.preventDefault()
  }

  #tell(): void {
    const next = this.#readState()
    if (JSON.stringify(next) !== JSON.stringify(this.#state)) this.#state = next
    for (const listener of this.#listeners) listener()
  }

  #readState(): LiveState {
    if (this.#refusal !== undefined) return { kind: 'refused', reason: this.#refusal }
    const changes = this.#unsent.count
    if (changes > 0 && this.#isConnected && this.#provider.authorizedScope === 'readonly') {
      return { kind: 'refused', reason: 'You may read this workspace, not write to it' }
    }
    if (!this.#isConnected) return this.#wasSynced ? { kind: 'offline', changes } : { kind: 'connecting' }
    if (!this.#wasSynced) return { kind: 'connecting' }
    return changes > 0 ? { kind: 'saving' } : { kind: 'saved' }
  }
}
