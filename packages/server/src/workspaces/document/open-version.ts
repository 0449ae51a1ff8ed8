import type { Author } from '@coherex/contract'
import type * as Y from 'yjs'
import { entriesOf, filesOf, textIdOf, textOf } from './file-tree.ts'
import { beginsAnother, joinTyping, startTyping, type Typing, type TypingRules } from './typing.ts'
import type { Captured, ClosedVersion } from './version-writer.ts'

export interface OpenVersionOptions {
  doc: Y.Doc
  rules: TypingRules
  /** Nobody has typed for long enough. */
  onPause(): void
}

/** What a transaction changed: ids of texts, and whether files came, went or moved. */
export interface Touched {
  texts: string[]
  hasPaths: boolean
}

/** What was changed since the last version, until it becomes one. */
export class OpenVersion {
  readonly #doc: Y.Doc
  readonly #rules: TypingRules
  readonly #onPause: () => void
  readonly #roots = new Map<unknown, string>()
  #typing: Typing | undefined
  /** The files it touches, until it touches more: whoever lists ten thousand asks for each. */
  #touched: Set<string> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ doc, rules, onPause }: OpenVersionOptions) {
    this.#doc = doc
    this.#rules = rules
    this.#onPause = onPause
  }

  get isEmpty(): boolean {
    return this.#typing === undefined
  }

  /** Everything in it came from other server processes. */
  get isRemote(): boolean {
    return this.#typing?.isRemote ?? false
  }

  /** Whether the author's next change belongs to a version of their own. */
  isClosedBy(author: Author, at: number): boolean {
    return this.#typing !== undefined && beginsAnother(this.#typing, author, at, this.#rules)
  }

  /** Notes what a transaction of the document changed, and whose it was; answers what it changed. */
  add(transaction: Y.Transaction, author: Author, { isRemote, at }: { isRemote: boolean; at: number }): Touched {
    const typing = (this.#typing ??= startTyping(author, at, isRemote))
    joinTyping(typing, author, isRemote)
    const files = filesOf(this.#doc)
    const touched: Touched = { texts: [], hasPaths: false }
    for (const [type, keys] of transaction.changed) {
      if ((type as unknown) === files) {
        touched.hasPaths = true
        for (const key of keys) if (key !== null) typing.paths.add(key)
      }
      const id = textIdOf(this.#rootName(type) ?? '')
      if (id === undefined) continue
      touched.texts.push(id)
      typing.texts.add(id)
    }
    this.#touched = undefined
    this.#wait(typing)
    return touched
  }

  has(path: string): boolean {
    if (!this.#typing) return false
    this.#touched ??= this.#paths(this.#typing)
    return this.#touched.has(path)
  }

  /** Takes it as the document is now, to be written. */
  close({ message, coauthors }: { message?: string | undefined; coauthors: Author[] }): ClosedVersion | undefined {
    const typing = this.#typing
    this.drop()
    if (!typing) return undefined
    const entries = entriesOf(this.#doc)
    const captured = new Map<string, Captured>()
    for (const path of this.#paths(typing)) {
      const entry = entries.get(path)
      captured.set(
        path,
        entry?.kind === 'text' ? { kind: 'text', text: textOf(this.#doc, entry.id).toString() } : entry,
      )
    }
    return { author: typing.author, coauthors: [...typing.coauthors, ...coauthors], message: message ?? null, captured }
  }

  /** Forgets it: someone else has made the version. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#typing = undefined
    this.#touched = undefined
  }

  #paths(typing: Typing): Set<string> {
    const paths = new Set(typing.paths)
    if (typing.texts.size === 0) return paths
    for (const [path, entry] of entriesOf(this.#doc)) {
      if (entry.kind === 'text' && typing.texts.has(entry.id)) paths.add(path)
    }
    return paths
  }

  #wait(typing: Typing): void {
    const { pauseMs, longestMs } = this.#rules
    clearTimeout(this.#timer)
    // the process that took it has most likely made the version by then
    const patience = typing.isRemote ? pauseMs * 2 : pauseMs
    this.#timer = setTimeout(this.#onPause, Math.max(0, Math.min(patience, typing.since + longestMs - Date.now())))
    this.#timer.unref()
  }

  #rootName(type: unknown): string | undefined {
    if (!this.#roots.has(type)) for (const [name, root] of this.#doc.share) this.#roots.set(root, name)
    return this.#roots.get(type)
  }
}
