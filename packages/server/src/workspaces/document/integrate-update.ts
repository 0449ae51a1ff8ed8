import type { Author } from '@coherex/contract'
import * as Y from 'yjs'

/** Where a change of a document comes from; `at` is when it was made. */
export interface Origin {
  author: Author
  /** It came from another server process, or from the log. */
  isRemote: boolean
  at: number
}

/** Puts an update into a document; answers why not all of it could be. */
export function integrateUpdate(doc: Y.Doc, update: Uint8Array, origin: Origin): string | undefined {
  try {
    Y.applyUpdate(doc, update, origin)
  } catch {
    return 'That is no update of a document'
  }
  const { store } = doc
  if (store.pendingStructs === null && store.pendingDs === null) return undefined
  // kept, they would be tried again with every update that follows
  store.pendingStructs = null
  store.pendingDs = null
  return 'The update builds on updates that are not here: sync first'
}
