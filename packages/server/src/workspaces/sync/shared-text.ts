import { CoherexError, type Author } from '@coherex/contract'
import * as Y from 'yjs'
import type { Log } from '../../base/index.ts'
import { DocumentListeners, type EndListener, type UpdateListener } from '../document/document-listeners.ts'
import { applyEdits, diffText } from '../document/edit-text.ts'
import { textOf } from '../document/file-tree.ts'
import { strangeClients, type SyncedDocument, type Writer } from './synced-document.ts'
import type { UpdateChecker } from './update-checker.ts'

/** A text as it is kept, with the number of its version. */
export interface KeptText {
  version: number
  text: string
}

export interface SharedTextOptions {
  /** Names it among all that are open. */
  key: string
  kept: KeptText
  author: Author
  mostCharacters: number
  checker: UpdateChecker
  log: Log
  /** The newest of what is kept. */
  read(): Promise<KeptText>
  /** Keeps a text as the version after the one that is named, and answers the newest. `writers` wrote since then, the last one last. Throws `conflict` where another version is the newest. */
  keep(change: { text: string; after: number; writers: Writer[] }): Promise<KeptText>
}

const textId = 'shared'
/** The root text that clients find. */
const sharedTextRoot = `text:${textId}`

const pauseMs = 1500
// someone who never pauses is stored as well
const longestMs = 10_000
const mostTries = 5

/**
 * A text that several type in at once, in memory while somebody does. What was typed is kept as a version after a pause;
 * a version that came from elsewhere is taken in character by character, so that nobody's typing is lost.
 */
export class SharedText implements SyncedDocument {
  // who sees what it is of is asked for each of them
  readonly privateTo = null
  readonly doc = new Y.Doc()
  readonly #options: SharedTextOptions
  readonly #text: Y.Text
  readonly #listeners: DocumentListeners
  /** Clients are new each time it is opened, and so are their owners. */
  readonly #owners = new Map<number, string>()
  #kept: KeptText
  /** The document as it was when it said what is kept. */
  #keptState: Uint8Array
  #author: Author
  #writers = new Map<string, Writer>()
  #waiting: { resolve(): void; reject(error: unknown): void }[] = []
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  #hasEnded = false

  constructor(options: SharedTextOptions) {
    this.#options = options
    this.#listeners = new DocumentListeners(options.log)
    this.#author = options.author
    this.#kept = options.kept
    this.#text = textOf(this.doc, textId)
    this.#text.insert(0, options.kept.text)
    this.#keptState = Y.encodeStateAsUpdate(this.doc)
    this.doc.on('update', (update: Uint8Array) => {
      options.checker.follow(options.key, update)
      this.#listeners.tellUpdate(update, this.#author)
    })
  }

  settled(): Promise<void> {
    return Promise.resolve()
  }

  onUpdate(listener: UpdateListener): () => void {
    return this.#listeners.onUpdate(listener)
  }

  placeOf(): undefined {
    return undefined
  }

  onEnd(listener: EndListener): () => void {
    return this.#listeners.onEnd(listener)
  }

  async take(update: Uint8Array, writer: Writer): Promise<{ stored: Promise<void> }> {
    await this.#check(update, writer)
    if (this.#hasEnded) throw new CoherexError('unavailable', 'The text was closed: try again')
    this.#author = writer.author
    const { id } = writer.caller.person
    // the last to write is the last of them
    this.#writers.delete(id)
    this.#writers.set(id, writer)
    Y.applyUpdate(this.doc, update)
    const stored = new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }))
    this.#storeSoon()
    return { stored }
  }

  claim(clients: number[], writer: Writer): Promise<void> {
    const { id } = writer.caller.person
    for (const client of strangeClients(clients, writer)) {
      // what is written and has no owner is the server's own
      const owner = this.#owners.get(client) ?? (this.doc.store.clients.has(client) ? undefined : id)
      if (owner !== id) throw new CoherexError('forbidden', 'The update is made in the name of another client')
      this.#owners.set(client, id)
      writer.known.clients.push(client)
    }
    return Promise.resolve()
  }

  storeNow(): void {
    if (this.#timer) this.#store()
  }

  /** Takes in what was kept from elsewhere, if anything was. */
  refresh(): void {
    this.#then(async () => this.#adopt(await this.#options.read()))
  }

  /** Lets go of it; what is not stored yet is. */
  release(): void {
    this.storeNow()
    this.#then(() => {
      this.#end(undefined)
      return Promise.resolve()
    })
  }

  /** Resolves when it has done what it was told to. */
  async idle(): Promise<void> {
    await this.#work
  }

  async #check(update: Uint8Array, writer: Writer): Promise<void> {
    const { checker, key, mostCharacters } = this.#options
    const only = { root: sharedTextRoot, characters: mostCharacters }
    for (;;) {
      const verdict = await checker.check(key, this.doc, update, writer.known, only)
      if (verdict.kind === 'fine') return
      if (verdict.kind === 'refused') throw new CoherexError(verdict.code, verdict.reason)
      await this.claim(verdict.clients, writer)
    }
  }

  #storeSoon(): void {
    const now = performance.now()
    if (this.#timer) clearTimeout(this.#timer)
    else this.#since = now
    this.#timer = setTimeout(() => this.#store(), Math.min(pauseMs, Math.max(0, this.#since + longestMs - now)))
  }

  #store(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#then(() => this.#keep())
  }

  async #keep(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const [text, state, waiting] = [this.#text.toString(), Y.encodeStateAsUpdate(this.doc), this.#waiting]
      const writers = [...this.#writers.values()]
      if (writers.length === 0) return
      this.#waiting = []
      this.#writers = new Map()
      try {
        const kept = await this.#options.keep({ text, after: this.#kept.version, writers })
        this.#kept = { version: this.#kept.version, text }
        this.#keptState = state
        for (const { resolve } of waiting) resolve()
        return this.#adopt(kept)
      } catch (error) {
        this.#waiting.unshift(...waiting)
        this.#writers = new Map([...writers.map((one) => [one.caller.person.id, one] as const), ...this.#writers])
        const isBehind = error instanceof CoherexError && error.code === 'conflict' && tries < mostTries
        const newest = isBehind ? await this.#options.read() : this.#kept
        if (newest.version === this.#kept.version) throw error
        this.#adopt(newest)
      }
    }
  }

  /** What others made of the text that is kept is done to the document as it was then, and so meets what was typed since. */
  #adopt(newest: KeptText): void {
    if (newest.version <= this.#kept.version) return
    const branch = new Y.Doc()
    Y.applyUpdate(branch, this.#keptState)
    const before = Y.encodeStateVector(branch)
    branch.transact(() => applyEdits(textOf(branch, textId), diffText(this.#kept.text, newest.text)))
    this.#kept = newest
    this.#keptState = Y.encodeStateAsUpdate(branch)
    Y.applyUpdate(this.doc, Y.encodeStateAsUpdate(branch, before))
    branch.destroy()
  }

  /** One after the other. */
  #then(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#hasEnded ? undefined : work()))
      .catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    if (error instanceof CoherexError && error.code === 'unavailable') {
      if (this.#writers.size > 0) this.#storeSoon()
      return
    }
    if (!(error instanceof CoherexError)) this.#options.log.error({ error }, 'a shared text could not be stored')
    this.#end(error instanceof CoherexError ? error : new CoherexError('internal', 'The server failed: try again'))
  }

  #end(error: CoherexError | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    for (const { reject } of this.#waiting.splice(0)) {
      reject(error ?? new CoherexError('unavailable', 'The text was closed: try again'))
    }
    this.#options.checker.drop(this.#options.key)
    this.#listeners.tellEnd(error)
    this.doc.destroy()
  }
}
