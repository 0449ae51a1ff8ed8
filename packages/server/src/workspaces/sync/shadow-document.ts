import { CoherexError, workspaceLimits } from '@coherex/contract'
import * as Y from 'yjs'
import { refuseSize } from '../document/document-limits.ts'
import { filesOf, measure, textIdOf, type DocumentSize } from '../document/file-tree.ts'
import { inspectUpdate, type Inspection } from './inspect-update.ts'
import { RefusedUpdate } from './refused-update.ts'

/** What is known of whoever sends an update: the clients that are theirs, and blobs that the workspace has. */
export interface Known {
  clients: number[]
  blobs: string[]
}

/** Of a document that is one text and nothing else: the name of its root, and how long it may be. */
export interface OneText {
  root: string
  characters: number
}

export type Verdict =
  | { kind: 'fine' }
  /** Nothing is wrong so far, but these must be theirs. */
  | { kind: 'asks'; clients: number[]; blobs: string[] }
  | { kind: 'refused'; code: 'invalid_input' | 'too_large'; reason: string; isSpoiled: boolean }

// roots are never taken away, so files that came and went leave theirs
const mostRoots = 30_000

/** A copy of a document on which updates of clients are tried before the document itself hears of them. */
export class ShadowDocument {
  readonly #doc = new Y.Doc()
  readonly #budgetMs: number
  readonly #only: OneText | undefined
  #size: DocumentSize
  /** Characters that may have come since `#size` was measured. */
  #growth = 0

  constructor(state: Uint8Array, budgetMs: number, only?: OneText) {
    this.#budgetMs = budgetMs
    this.#only = only
    Y.applyUpdate(this.#doc, state)
    this.#size = measure(this.#doc)
  }

  /** Takes an update that the document has. */
  follow(update: Uint8Array): void {
    Y.applyUpdate(this.#doc, update)
    this.#growth += update.length
  }

  /** Tries an update; when it is fine the copy has it. */
  check(update: Uint8Array, known: Known): Verdict {
    const began = process.threadCpuUsage()
    let isSpoiled = false
    try {
      const inspection = inspectUpdate(this.#doc, update)
      this.#refuseOthers(inspection)
      const clients = inspection.clients.filter((client) => !known.clients.includes(client))
      const blobs = inspection.blobs.filter((hash) => !known.blobs.includes(hash))
      if (clients.length > 0 || blobs.length > 0) return { kind: 'asks', clients, blobs }
      isSpoiled = true
      this.#try(update, inspection)
      const { user, system } = process.threadCpuUsage(began)
      if (user + system > this.#budgetMs * 1000) throw new RefusedUpdate('The update takes too long to apply')
      return { kind: 'fine' }
    } catch (error) {
      if (error instanceof CoherexError) return refusal('too_large', error.message, isSpoiled)
      if (error instanceof RefusedUpdate) return refusal('invalid_input', error.message, isSpoiled)
      // whatever Yjs stumbles over was made to be stumbled over
      return refusal('invalid_input', 'That is no update of a document', true)
    }
  }

  #try(update: Uint8Array, { added, addsFiles }: Inspection): void {
    const lengths = new Map([...added.keys()].map((root) => [root, this.#lengthOf(root)]))
    const addedCharacters = [...added.values()].reduce((sum, count) => sum + count, 0)
    if (this.#size.characters + this.#growth + addedCharacters > workspaceLimits.documentCharacters) this.#measure()
    const files = addsFiles ? filesOf(this.#doc).size : 0
    Y.applyUpdate(this.#doc, update)
    const { store, share } = this.#doc
    if (store.pendingStructs !== null || store.pendingDs !== null) {
      throw new RefusedUpdate('The update builds on updates that are not here')
    }
    // measuring makes the root of the files
    if (share.size > (this.#only ? 2 : mostRoots)) throw new RefusedUpdate('The workspace has had too many files')
    for (const [root, before] of lengths) {
      const sized = (largestText: number) => ({ files: 0, characters: 0, largestText })
      const now = this.#lengthOf(root)
      refuseSize(sized(now), sized(before))
      if (this.#only && now > this.#only.characters && now > before) {
        throw new CoherexError(
          'too_large',
          `Cannot make the change: the text has at most ${this.#only.characters} characters`,
        )
      }
    }
    const before = { files, characters: this.#size.characters, largestText: 0 }
    this.#growth += addedCharacters
    if (this.#size.characters + this.#growth > workspaceLimits.documentCharacters) this.#measure()
    refuseSize(
      { files: addsFiles ? filesOf(this.#doc).size : 0, characters: this.#size.characters, largestText: 0 },
      before,
    )
  }

  #refuseOthers({ added, addsFiles }: Inspection): void {
    const only = this.#only
    if (only && (addsFiles || [...added.keys()].some((root) => root !== only.root))) {
      throw new RefusedUpdate('The document is one text and nothing else')
    }
  }

  #lengthOf(root: string): number {
    return textIdOf(root) === undefined ? 0 : this.#doc.getText(root).length
  }

  #measure(): void {
    this.#size = measure(this.#doc)
    this.#growth = 0
  }
}

function refusal(code: 'invalid_input' | 'too_large', reason: string, isSpoiled: boolean): Verdict {
  return { kind: 'refused', code, reason, isSpoiled }
}
