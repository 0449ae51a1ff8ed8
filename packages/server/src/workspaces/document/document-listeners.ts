import type { Author, CoherexError } from '@coherex/contract'
import type { Log } from '../../base/index.ts'

export type UpdateListener = (update: Uint8Array, author: Author) => void
export type EndListener = (error: CoherexError | undefined) => void

/** Those who have a document open and hear of its updates and its end. */
export class DocumentListeners {
  readonly #log: Log
  readonly #onUpdate = new Set<UpdateListener>()
  readonly #onEnd = new Set<EndListener>()

  constructor(log: Log) {
    this.#log = log
  }

  onUpdate(listener: UpdateListener): () => void {
    this.#onUpdate.add(listener)
    return () => this.#onUpdate.delete(listener)
  }

  onEnd(listener: EndListener): () => void {
    this.#onEnd.add(listener)
    return () => this.#onEnd.delete(listener)
  }

  tellUpdate(bytes: Uint8Array, author: Author): void {
    for (const listener of this.#onUpdate) {
      try {
        listener(bytes, author)
      } catch (error) {
        // one listener's fault must not keep the update from the others
        this.#log.error({ error }, 'a listener of a workspace failed')
      }
    }
  }

  /** The last they hear. */
  tellEnd(error: CoherexError | undefined): void {
    for (const listener of this.#onEnd) listener(error)
    this.#onUpdate.clear()
    this.#onEnd.clear()
  }
}
