import { CoherexError, workspaceLimits } from '@coherex/contract'
import * as Y from 'yjs'
import { measure, type DocumentSize } from './file-tree.ts'

/** Bytes of one update; clients send far less. */
export const largestUpdate = 4_000_000

// an entry of the shortest kind
const smallestEntryBytes = 8

/** Throws when a document is too large, unless it was so before and has not grown. */
export function refuseSize(after: DocumentSize, before: DocumentSize): void {
  const { documentCharacters, fileCharacters, files } = workspaceLimits
  const refuse = (what: string) => new CoherexError('too_large', `Cannot make the change: ${what}`)
  if (after.characters > documentCharacters && after.characters > before.characters) {
    throw refuse('a workspace holds at most 10 MB of text')
  }
  if (after.largestText > fileCharacters && after.largestText > before.largestText) {
    throw refuse('a file that is edited together has at most 1 MB of text')
  }
  if (after.files > files && after.files > before.files) throw refuse(`a workspace has at most ${files} files`)
}

/** Throws when the update would make the document too large. Near a limit it is tried on a copy: nothing can be taken back. */
export function refuseUpdate(doc: Y.Doc, size: DocumentSize, update: Uint8Array): void {
  if (update.length > largestUpdate) throw new CoherexError('too_large', 'The update is larger than 4 MB')
  const { documentCharacters, fileCharacters, files } = workspaceLimits
  const isFar =
    size.characters + update.length <= documentCharacters &&
    size.largestText + update.length <= fileCharacters &&
    size.files + update.length / smallestEntryBytes <= files
  if (isFar) return
  const copy = new Y.Doc()
  try {
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
    Y.applyUpdate(copy, update)
    refuseSize(measure(copy), size)
  } finally {
    copy.destroy()
  }
}
