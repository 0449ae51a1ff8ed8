import { CoherexError, type ChangeResult } from '@coherex/contract'
import { entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { mergeTexts } from '../merge/merge-texts.ts'
import { findPersonalLines, isPersonal } from '../merge/personal-lines.ts'
import { propose } from '../proposals/propose.ts'
import { checkContents, checkExpected, putContent, type Content } from './change-files.ts'
import type { Operation, OperationRooms } from './operation.ts'
import { readHistory } from './read-history.ts'

const attempts = 5

/** Writes a file. With `readVersion`, what others changed since is kept; an agent's change of a person's lines becomes a proposal. */
export async function writeFile(
  rooms: OperationRooms,
  document: WorkspaceDocument,
  { path, content, ...operation }: Operation & { path: string; content: Content },
): Promise<ChangeResult> {
  const { author, expectedVersion, readVersion } = operation
  if (author.kind === 'agent' && readVersion === undefined && entryOf(document.doc, path)) {
    throw new CoherexError('invalid_input', `Cannot write "${path}": an agent says by readVersion what it read`)
  }
  if (readVersion !== undefined && content.kind === 'text') {
    return mergeFile(rooms, document, { ...operation, path, text: content.text, readVersion })
  }
  await document.change(
    author,
    (doc) => {
      checkExpected(document, path, expectedVersion)
      if (readVersion !== undefined) checkReplaced(document, path, readVersion)
      checkContents(document, new Map([[path, content]]), new Set())
      putContent(doc, path, content)
    },
    operation,
  )
  return { version: document.version }
}

async function mergeFile(
  rooms: OperationRooms,
  document: WorkspaceDocument,
  { path, text, readVersion, ...operation }: Operation & { path: string; text: string; readVersion: number },
): Promise<ChangeResult> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = await document.closeVersion()
    const { base, steps } = await readHistory(rooms.database, document.name, path, readVersion)
    const entry = entryOf(document.doc, path)
    // whoever changed nothing takes nothing back of what others did, a deletion included
    if (steps.length > 0 && text === base && (base !== '' || entry)) {
      checkExpected(document, path, operation.expectedVersion)
      return { version }
    }
    if (entry?.kind === 'blob') throw overlap(path, readVersion, 'it became no text')
    const current = steps.at(-1)?.text ?? base
    const merge = mergeTexts({ base, mine: text, theirs: current })
    if (merge.conflicts.length > 0) {
      const personal = findPersonalLines(base, steps)
      const isAsked = operation.author.kind === 'agent' && merge.conflicts.some((lines) => isPersonal(personal, lines))
      if (!isAsked) throw overlap(path, readVersion, entry ? 'others changed the same lines' : 'it was deleted')
      return propose(rooms, document, { ...operation, path, readVersion, before: base, after: text })
    }
    const isDone = await document.change(
      operation.author,
      (doc) => {
        if (document.hasChangedSince(path, version)) return false
        checkExpected(document, path, operation.expectedVersion)
        const content: Content = { kind: 'text', text: merge.text }
        checkContents(document, new Map([[path, content]]), new Set())
        putContent(doc, path, content)
        return true
      },
      operation,
    )
    if (isDone) return { version: document.version }
  }
  throw new CoherexError('unavailable', `Cannot write "${path}": others are changing it, try again`)
}

/** What is no text is replaced as a whole, so only what was read may be. */
function checkReplaced(document: WorkspaceDocument, path: string, readVersion: number): void {
  const isThere = entryOf(document.doc, path) !== undefined
  if (isThere && document.hasChangedSince(path, readVersion)) {
    throw new CoherexError('conflict', `Cannot replace "${path}": it has changed since version ${readVersion}`, {
      details: { path, readVersion },
    })
  }
}

function overlap(path: string, readVersion: number, why: string): CoherexError {
  return new CoherexError('conflict', `Cannot merge "${path}": ${why} since version ${readVersion}`, {
    details: { path, readVersion },
  })
}
