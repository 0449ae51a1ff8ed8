import { CoherexError, type ChangeResult } from '@coherex/contract'
import { deleteEntry, entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, checkExpected, moveEntries, pathsAt, type Content } from './change-files.ts'
import type { Operation } from './operation.ts'

/** Deletes a file, or a folder with all that is in it. */
export async function removeFiles(
  document: WorkspaceDocument,
  { path, ...operation }: Operation & { path: string },
): Promise<ChangeResult> {
  await document.change(
    operation.author,
    (doc) => {
      const paths = pathsAt(doc, path)
      for (const one of paths) checkUnchanged(document, one, operation)
      for (const one of paths) deleteEntry(doc, one)
    },
    operation,
  )
  return { version: document.version }
}

/** Moves a file, or a folder with all that is in it. */
export async function moveFiles(
  document: WorkspaceDocument,
  { from, to, ...operation }: Operation & { from: string; to: string },
): Promise<ChangeResult> {
  await document.change(
    operation.author,
    (doc) => {
      const paths = pathsAt(doc, from)
      if (to === from) return
      if (to.startsWith(`${from}/`)) {
        throw new CoherexError('conflict', `Cannot move "${from}" to "${to}": that is inside of it`)
      }
      for (const one of paths) checkUnchanged(document, one, operation)
      const moves = new Map(paths.map((one) => [one, to + one.slice(from.length)]))
      for (const target of moves.values()) {
        if (entryOf(doc, target))
          throw new CoherexError('conflict', `Cannot move to "${target}": there is a file already`)
      }
      // only names move, so what counts is whether they fit
      const empty: Content = { kind: 'blob', hash: '', size: 0 }
      checkContents(document, new Map([...moves.values()].map((target) => [target, empty])), new Set(paths))
      moveEntries(doc, moves)
    },
    operation,
  )
  return { version: document.version }
}

/** Whoever read a version and takes a file away takes away what they know. */
function checkUnchanged(document: WorkspaceDocument, path: string, operation: Operation): void {
  checkExpected(document, path, operation)
  checkExpected(document, path, { expectedVersion: operation.readVersion })
}
