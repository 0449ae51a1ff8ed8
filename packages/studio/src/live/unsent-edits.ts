import * as Y from 'yjs'
import { readStored, storedNames, writeStored } from '../ui/state/stored.ts'

const pauseMs = 200

/**
 * What was typed here and is not on the server's disk. It is kept in the browser until it is, so that a reload loses
 * nothing; like drafts it is forgotten when another person signs in.
 */
export class UnsentEdits {
  readonly #prefix: string
  readonly #key: string
  #kept: Uint8Array | undefined
  #fresh: Uint8Array[] = []
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(workspaceId: string, client: number) {
    this.#prefix = `draft.live.${workspaceId}/`
    this.#key = this.#prefix + client
  }

  get count(): number {
    return this.#count
  }

  add(update: Uint8Array): void {
    this.#fresh.push(update)
    this.#count++
    this.#timer ??= setTimeout(() => this.keep(), pauseMs)
  }

  /** Writes what waits to the browser's memory; answers whether it is there. */
  keep(): boolean {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#fresh.length > 0) {
      this.#kept = Y.mergeUpdates(this.#kept ? [this.#kept, ...this.#fresh] : this.#fresh)
      this.#fresh = []
      writeStored(this.#key, toBase64(this.#kept))
    }
    return this.#kept === undefined || readStored(this.#key) !== undefined
  }

  /** All of it is stored. */
  clear(): void {
    if (this.#count === 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#fresh = []
    this.#count = 0
    if (this.#kept) writeStored(this.#key, undefined)
    this.#kept = undefined
  }

  /** What windows that are gone left behind becomes this one's. Taking up what another window still sends changes nothing. */
  adoptLeft(apply: (update: Uint8Array) => void): void {
    for (const client of storedNames(this.#prefix)) {
      const key = this.#prefix + client
      if (key === this.#key) continue
      const update = parse(readStored(key))
      if (update) apply(update)
      // only what is kept here is forgotten there
      if (this.keep()) writeStored(key, undefined)
    }
  }
}

function parse(stored: string | undefined): Uint8Array | undefined {
  try {
    const update = fromBase64(stored ?? '')
    Y.decodeUpdate(update)
    return update
  } catch {
    // what cannot be read is worth nothing
    return undefined
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
