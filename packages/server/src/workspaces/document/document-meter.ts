import type * as Y from 'yjs'
import { filesOf, textIdOf, textOf, type DocumentSize } from './file-tree.ts'
import type { Touched } from './open-version.ts'

/** The size of a document, kept up to date by what changes instead of by counting everything at every keystroke. */
export class DocumentMeter {
  readonly #doc: Y.Doc
  readonly #lengths = new Map<string, number>()
  #size: DocumentSize = { files: 0, characters: 0, largestText: 0 }

  constructor(doc: Y.Doc) {
    this.#doc = doc
  }

  get size(): DocumentSize {
    return this.#size
  }

  /** Counts everything: once, when a document was loaded. */
  countAll(): void {
    const texts = [...this.#doc.share.keys()].flatMap((name) => textIdOf(name) ?? [])
    this.count({ texts, hasPaths: true })
  }

  count({ texts, hasPaths }: Touched): void {
    const size = { ...this.#size }
    let hasShrunk = false
    if (hasPaths) size.files = filesOf(this.#doc).size
    for (const id of texts) {
      const before = this.#lengths.get(id) ?? 0
      const { length } = textOf(this.#doc, id)
      this.#lengths.set(id, length)
      size.characters += length - before
      if (length >= size.largestText) size.largestText = length
      else if (before === size.largestText) hasShrunk = true
    }
    if (hasShrunk) size.largestText = largestOf(this.#lengths)
    this.#size = size
  }
}

function largestOf(lengths: Map<string, number>): number {
  let largest = 0
  for (const length of lengths.values()) largest = Math.max(largest, length)
  return largest
}
