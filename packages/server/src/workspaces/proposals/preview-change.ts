import { CoherexError, type FileDiff } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { pathsAt } from '../files/change-files.ts'
import { currentText } from '../files/current-text.ts'
import { findProposal, replaceOnce } from '../files/edit-file.ts'
import { mergeWithCurrent, refuseOverlap } from '../files/merge-with-current.ts'
import { readHistory } from '../files/read-history.ts'
import { unifiedDiff } from '../versions/unified-diff.ts'
import { toWorkspacePath } from '../workspace-path.ts'

/** What an agent wants to do to files. `readVersion` is what it knew of the file; undefined when that is unknown. */
export type PlannedChange =
  | { kind: 'write'; path: string; text: string; readVersion: number | undefined }
  | { kind: 'edit'; path: string; search: string; replace: string; readVersion: number | undefined }
  | { kind: 'move'; from: string; to: string }
  | { kind: 'remove'; path: string }

export interface ChangePreview {
  items: FileDiff[]
  outcome: 'change' | 'proposal'
  /** Why it would fail. */
  problem: string | null
}

// a folder has many files, and nobody reads more
const mostFiles = 100

/** What a change would do to files as they are now. The same rules decide as when it is made. */
export async function previewChange(
  database: Database,
  document: WorkspaceDocument,
  change: PlannedChange,
): Promise<ChangePreview> {
  try {
    switch (change.kind) {
      case 'write':
        return await previewWrite(database, document, { ...change, path: toWorkspacePath(change.path) })
      case 'edit':
        return await previewEdit(database, document, { ...change, path: toWorkspacePath(change.path) })
      case 'move': {
        const [from, to] = [toWorkspacePath(change.from, 'from'), toWorkspacePath(change.to, 'to')]
        const items = pathsAt(document.doc, from)
          .slice(0, mostFiles)
          .map((path) => ({ ...same(to + path.slice(from.length)), change: 'moved' as const, from: path }))
        const taken = items.find(({ path }) => entryOf(document.doc, path))
        return { items, outcome: 'change', problem: taken ? `There is a file "${taken.path}" already` : null }
      }
      case 'remove': {
        const paths = pathsAt(document.doc, toWorkspacePath(change.path)).slice(0, mostFiles)
        return done(...paths.map((path) => toItem(document, path, undefined)))
      }
    }
  } catch (error) {
    if (!(error instanceof CoherexError)) throw error
    return { items: [], outcome: 'change', problem: error.message }
  }
}

async function previewWrite(
  database: Database,
  document: WorkspaceDocument,
  { path, text, readVersion }: PlannedChange & { kind: 'write' },
): Promise<ChangePreview> {
  const item = toItem(document, path, text)
  if (readVersion === undefined) return done(item)
  await document.closeVersion()
  const merged = await mergeWithCurrent(database, document, { path, text, readVersion })
  if (merged.kind === 'text') return done(toItem(document, path, merged.text))
  if (merged.kind === 'theirs') return done(same(path))
  if (merged.isPersonal) return { items: [item], outcome: 'proposal', problem: null }
  return { items: [item], outcome: 'change', problem: refuseOverlap(path, readVersion, merged.why).message }
}

async function previewEdit(
  database: Database,
  document: WorkspaceDocument,
  edit: PlannedChange & { kind: 'edit' },
): Promise<ChangePreview> {
  const { path, readVersion } = edit
  if (readVersion !== undefined) {
    await document.closeVersion()
    const proposed = findProposal(await readHistory(database, document.name, path, readVersion), edit)
    if (proposed) {
      return {
        items: [{ ...same(path), diff: unifiedDiff({ path, ...proposed }) }],
        outcome: 'proposal',
        problem: null,
      }
    }
  }
  return done(toItem(document, path, replaceOnce(document, edit).after))
}

function done(...items: FileDiff[]): ChangePreview {
  return { items, outcome: 'change', problem: null }
}

function same(path: string): FileDiff {
  return { path, change: 'changed', binary: false, diff: '' }
}

function toItem(document: WorkspaceDocument, path: string, after: string | undefined): FileDiff {
  const before = currentText(document, path)
  const isThere = entryOf(document.doc, path) !== undefined
  const binary = isThere && before === undefined
  const change = after === undefined ? 'deleted' : isThere ? 'changed' : 'added'
  return { path, change, binary, diff: binary ? '' : unifiedDiff({ path, before, after }) }
}
