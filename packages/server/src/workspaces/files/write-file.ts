import { CoherexError, type ChangeResult } from '@coherex/contract'
import { entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, checkExpected, checkReplaced, putContent, type Content } from './change-files.ts'
import { mergeWithCurrent, refuseOverlap } from './merge-with-current.ts'
import type { Operation, OperationDeps } from './operation.ts'
import { propose } from './propose.ts'

const attempts = 5

/** Writes a file. With `readVersion`, what others changed since is kept; an agent's change of a person's lines becomes a proposal. */
export async function writeFile(
  deps: OperationDeps,
  document: WorkspaceDocument,
  { path, content, ...operation }: Operation & { path: string; content: Content },
): Promise<ChangeResult> {
  const { author, readVersion } = operation
  if (author.kind === 'agent' && readVersion === undefined && entryOf(document.doc, path)) {
    throw new CoherexError('invalid_input', `Cannot write "${path}": an agent says by readVersion what it read`)
  }
  if (readVersion !== undefined && content.kind === 'text') {
    return mergeFile(deps, document, { ...operation, path, text: content.text, readVersion })
  }
  await document.change(
    author,
    (doc) => {
      checkExpected(document, path, operation)
      if (readVersion !== undefined) checkReplaced(document, path, readVersion)
      checkContents(document, new Map([[path, content]]), new Set())
      putContent(doc, path, content)
    },
    operation,
  )
  return { version: document.version }
}

async function mergeFile(
  deps: OperationDeps,
  document: WorkspaceDocument,
  { path, text, readVersion, ...operation }: Operation & { path: string; text: string; readVersion: number },
): Promise<ChangeResult> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = await document.closeVersion()
    const merged = await mergeWithCurrent(deps.database, document, { path, text, readVersion })
    if (merged.kind === 'theirs') {
      checkExpected(document, path, operation)
      return { version }
    }
    if (merged.kind === 'overlap') {
      const { base, why, isPersonal } = merged
      if (operation.author.kind !== 'agent' || !isPersonal) throw refuseOverlap(path, readVersion, why)
      return propose(deps, document, { ...operation, path, readVersion, before: base, after: text })
    }
    const isDone = await document.change(
      operation.author,
      (doc) => {
        if (document.hasChangedSince(path, version)) return false
        checkExpected(document, path, operation)
        checkContents(document, new Map([[path, merged]]), new Set())
        putContent(doc, path, merged)
        return true
      },
      operation,
    )
    if (isDone) return { version: document.version }
  }
  throw new CoherexError('unavailable', `Cannot write "${path}": others are changing it, try again`)
}
