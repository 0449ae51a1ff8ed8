import * as Y from 'yjs'
import { entriesOf, entryOf, isFilesRoot, textIdOf, textOf } from '../document/file-tree.ts'
import type { OpenDocument } from '../document/open-documents.ts'

type ChangeListener = (paths: ReadonlySet<string>) => void

/** The texts of a workspace as they are now, for whoever reads along. It is to be released. */
export class WatchedTexts {
  readonly #open: OpenDocument
  readonly #listeners = new Set<ChangeListener>()
  readonly #waiting = new Set<() => void>()
  #pathsById: Map<string, string[]> | undefined

  constructor(open: OpenDocument) {
    this.#open = open
    this.#doc.on('afterTransaction', this.#hear)
  }

  paths(): string[] {
    return [...entriesOf(this.#doc)].flatMap(([path, { kind }]) => (kind === 'text' ? [path] : []))
  }

  /** Undefined where there is no text. */
  read(path: string): string | undefined {
    const entry = entryOf(this.#doc, path)
    return entry?.kind === 'text' ? textOf(this.#doc, entry.id).toString() : undefined
  }

  /** Without reading it. */
  lengthOf(path: string): number | undefined {
    const entry = entryOf(this.#doc, path)
    return entry?.kind === 'text' ? textOf(this.#doc, entry.id).length : undefined
  }

  /** Hears the paths of texts that changed, came or went. */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves when all that a client wrote up to a clock is here, or when the time is up. */
  async hasWritten({ client, clock }: { client: number; clock: number }, withinMs: number): Promise<void> {
    const isHere = () => Y.getState(this.#doc.store, client) >= clock
    if (isHere()) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve()
      }
      const look = () => isHere() && settle()
      const timer = setTimeout(settle, withinMs)
      this.#waiting.add(look)
    })
  }

  /** Told once when the document is closed under its users. */
  onEnd(listener: () => void): () => void {
    return this.#open.document.onEnd(listener)
  }

  release(): void {
    this.#doc.off('afterTransaction', this.#hear)
    this.#listeners.clear()
    this.#open.release()
  }

  get #doc(): Y.Doc {
    return this.#open.document.doc
  }

  readonly #hear = (transaction: Y.Transaction): void => {
    const changed = new Set<string>()
    for (const [type, keys] of transaction.changed) {
      if (type._item !== null) continue
      const root = Y.findRootTypeKey(type)
      if (isFilesRoot(root)) {
        this.#pathsById = undefined
        for (const key of keys) if (key !== null) changed.add(key)
      } else {
        for (const path of this.#pathsOf(textIdOf(root) ?? '')) changed.add(path)
      }
    }
    for (const look of this.#waiting) look()
    if (changed.size > 0) for (const listener of this.#listeners) listener(changed)
  }

  #pathsOf(id: string): string[] {
    if (!this.#pathsById) {
      this.#pathsById = new Map()
      for (const [path, entry] of entriesOf(this.#doc)) {
        if (entry.kind === 'text') this.#pathsById.set(entry.id, [...(this.#pathsById.get(entry.id) ?? []), path])
      }
    }
    return this.#pathsById.get(id) ?? []
  }
}
