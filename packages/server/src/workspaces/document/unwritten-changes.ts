import type { Author } from '@coherex/contract'
import type { ClosedVersion } from './version-writer.ts'

export type UnwrittenChange =
  | { kind: 'update'; bytes: Uint8Array; author: Author }
  | { kind: 'version'; version: ClosedVersion }

/** What is in the document and not on disk: updates and the versions they end in, in their order. */
export class UnwrittenChanges {
  #waiting: UnwrittenChange[] = []
  /** Taken by the transaction under way: in the document already, not yet in the last version's number. */
  #underWay: UnwrittenChange[] = []

  /** Nothing waits to be written; something may be being written. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  get isWriting(): boolean {
    return this.#underWay.length > 0
  }

  add(change: UnwrittenChange): void {
    this.#waiting.push(change)
  }

  /** All that waits, for the transaction under way; what is added from now on waits for the next. */
  take(): UnwrittenChange[] {
    this.#underWay = this.#waiting
    this.#waiting = []
    return this.#underWay
  }

  /** The transaction is over. */
  written(): void {
    this.#underWay = []
  }

  /** Whether one of the versions changes a file. */
  changes(path: string): boolean {
    const isChanged = (item: UnwrittenChange) => item.kind === 'version' && item.version.captured.has(path)
    return this.#waiting.some(isChanged) || this.#underWay.some(isChanged)
  }
}
