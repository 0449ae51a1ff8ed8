import { CoherexError } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { mergeTexts } from '../merge/merge-texts.ts'
import { findPersonalLines, isPersonal } from '../merge/personal-lines.ts'
import { readHistory } from './read-history.ts'

/** What a text that was made from a version becomes, with what others did since. */
export type MergedText =
  | { kind: 'text'; text: string }
  /** Whoever changed nothing takes nothing back of what others did, a deletion included. */
  | { kind: 'theirs' }
  /** Both changed the same; `isPersonal` where a person did. */
  | { kind: 'overlap'; base: string; why: string; isPersonal: boolean }

/** Everything typed has to be in a version already. */
export async function mergeWithCurrent(
  database: Database,
  document: WorkspaceDocument,
  { path, text, readVersion }: { path: string; text: string; readVersion: number },
): Promise<MergedText> {
  const entry = entryOf(document.doc, path)
  // nobody did anything since, whatever the file was
  if (entry && readVersion <= document.version && !document.hasChangedSince(path, readVersion)) {
    return { kind: 'text', text }
  }
  const { base, steps } = await readHistory(database, document.name, path, readVersion)
  if (steps.length > 0 && text === base && (base !== '' || entry)) return { kind: 'theirs' }
  if (entry?.kind === 'blob') return { kind: 'overlap', base, why: 'it became no text', isPersonal: false }
  const merge = mergeTexts({ base, mine: text, theirs: steps.at(-1)?.text ?? base })
  if (merge.conflicts.length === 0) return { kind: 'text', text: merge.text }
  const personal = findPersonalLines(base, steps)
  const why = entry ? 'others changed the same lines' : 'it was deleted'
  return { kind: 'overlap', base, why, isPersonal: merge.conflicts.some((lines) => isPersonal(personal, lines)) }
}

export function refuseOverlap(path: string, readVersion: number, why: string): CoherexError {
  return new CoherexError('conflict', `Cannot merge "${path}": ${why} since version ${readVersion}`, {
    details: { path, readVersion },
  })
}
