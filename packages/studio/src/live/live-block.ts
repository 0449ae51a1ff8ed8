import * as Y from 'yjs'
import type { LiveText, OwnPlace } from './live-workspace.ts'
import { openLine, type Line } from './open-line.ts'
import { peersOf, type Peer } from './peers.ts'

const textId = 'shared'
const storedWithinMs = 5000

/**
 * The text of a block while several type in it. The server has it in memory and keeps versions; a line that was lost ends
 * it, and what was typed in it goes on as text: a block that is opened again is another document.
 */
export class LiveBlock {
  readonly kind = 'block'
  readonly id: string
  readonly doc = new Y.Doc()
  readonly textId = textId
  readonly text = this.doc.getText(`text:${textId}`)
  readonly #path: string
  readonly #line: Line
  readonly #me: string
  readonly #listeners = new Set<() => void>()
  #peers: readonly Peer[] = []
  #state: 'connecting' | 'ready' | 'lost' = 'connecting'
  #place: OwnPlace = { file: undefined, selection: undefined }

  constructor(id: string, { path, me }: { path: string; me: string }) {
    this.id = id
    this.#path = path
    this.#me = me
    this.#line = openLine(id, this.doc)
    this.#listen()
    this.#line.provider.attach()
  }

  get state(): 'connecting' | 'ready' | 'lost' {
    return this.#state
  }

  /** The others, each client once. */
  get peers(): readonly Peer[] {
    return this.#peers
  }

  /** Everything that was typed here is in a version. */
  get isStored(): boolean {
    return this.#line.provider.unsyncedChanges === 0
  }

  /** Hears of each change, and of people who come, move or go. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  textAt(path: string): LiveText | undefined {
    return path === this.#path && this.#state !== 'connecting' ? { id: textId, text: this.text } : undefined
  }

  paths(): string[] {
    return [this.#path]
  }

  pathOf(id: string): string | undefined {
    return id === textId ? this.#path : undefined
  }

  /** There is one text from the beginning to the end. */
  onFiles(): () => void {
    return () => undefined
  }

  /** Shows others where one is. */
  show(place: Partial<OwnPlace>): void {
    this.#place = { ...this.#place, ...place }
    const { file, selection } = this.#place
    this.#line.awareness.setLocalState({ ...(file ? { file } : {}), ...(selection ? { selection } : {}) })
  }

  /** Has the server store at once what was typed; answers whether it is. */
  async store(): Promise<boolean> {
    if (this.isStored) return true
    this.#line.provider.sendStateless('store')
    return new Promise((resolve) => {
      const settle = (isStored: boolean) => {
        clearTimeout(timer)
        unsubscribe()
        resolve(isStored)
      }
      const timer = setTimeout(() => settle(false), storedWithinMs)
      const unsubscribe = this.subscribe(() => {
        if (this.isStored) settle(true)
        else if (this.#state === 'lost') settle(false)
      })
    })
  }

  close(): void {
    removeEventListener('offline', this.#lose)
    this.#listeners.clear()
    this.#line.close()
    this.doc.destroy()
  }

  #listen(): void {
    const { provider, awareness } = this.#line
    provider.on('synced', () => {
      if (this.#state === 'lost') return
      this.#state = 'ready'
      this.#tell()
    })
    provider.on('close', this.#lose)
    provider.on('disconnect', this.#lose)
    addEventListener('offline', this.#lose)
    provider.on('unsyncedChanges', () => this.#tell())
    this.doc.on('update', () => this.#tell())
    awareness.on('change', () => {
      const next = peersOf(awareness, this.#me)
      if (JSON.stringify(next) !== JSON.stringify(this.#peers)) this.#peers = next
      this.#tell()
    })
  }

  readonly #lose = () => {
    // before it was here nothing was typed in it: the line is tried again
    if (this.#state !== 'ready') return
    this.#state = 'lost'
    this.#line.socket.disconnect()
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
