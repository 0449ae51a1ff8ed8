import { CoherexError, type Author, type UndoneChanges } from '@coherex/contract'
import type { Database, Transaction } from '../../base/index.ts'
import { hashOf } from '../content-codec.ts'
import { readTexts } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { deleteEntry } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContents, type Content } from '../files/change-files.ts'
import { planEdits } from '../files/plan-edits.ts'
import { mergeTexts } from '../merge/merge-texts.ts'
import { selectTree, type TreeFile } from '../version-store.ts'
import { pairUp, type Pair } from './diff-versions.ts'

export interface Undo {
  /** The versions whose changes are taken back. */
  numbers: readonly number[]
  author: Author
  message?: string | undefined
}

const attempts = 5

/** Takes back what some versions changed, as a new version, and keeps what others did before, between and since. A file where that cannot be told apart stays, and is named. */
export async function undoVersions(
  database: Database,
  document: WorkspaceDocument,
  { numbers, author, message = undoMessage(numbers) }: Undo,
): Promise<UndoneChanges> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = await document.closeVersion()
    const { changes, kept } = await database.transaction({ team: document.name.teamId }, (transaction) =>
      planUndo(transaction, document.name, { numbers, version }),
    )
    const undone = [...changes.keys()]
    if (undone.length === 0) return { version, undone, kept }
    const removed = new Set([...changes].flatMap(([path, content]) => (content ? [] : [path])))
    const written = new Map([...changes].flatMap(([path, content]) => (content ? [[path, content] as const] : [])))
    const plan = await planEdits(document, written)
    const isDone = await document.change(
      author,
      (doc) => {
        if (undone.some((path) => document.hasChangedSince(path, version))) return false
        checkContents(document, written, removed)
        for (const path of removed) deleteEntry(doc, path)
        putContents(doc, written, plan)
        return true
      },
      { message },
    )
    if (isDone) return { version: document.version, undone, kept }
  }
  throw new CoherexError('unavailable', 'Cannot undo the changes: others are changing these files, try again')
}

function undoMessage(numbers: readonly number[]): string {
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
  return first === last ? `Undid version ${first}` : `Undid versions ${first} to ${last}`
}

type State = { kind: 'text'; hash: string; text: string } | { kind: 'blob'; hash: string; size: number }

/** What has to be written, and what deleted (undefined). */
async function planUndo(
  transaction: Transaction,
  name: DocumentName,
  { numbers, version }: { numbers: readonly number[]; version: number },
): Promise<{ changes: Map<string, Content | undefined>; kept: UndoneChanges['kept'] }> {
  const current = new Map((await selectTree(transaction, name, version)).map((file) => [file.path, file]))
  const states = new Map<string, State | undefined>()
  const kept = new Map<string, string>()

  async function load(file: TreeFile | undefined): Promise<State | undefined> {
    if (file?.kind !== 'text') return file && { kind: 'blob', hash: file.hash, size: file.size }
    const texts = await readTexts(transaction, name, [file.hash])
    return { kind: 'text', hash: file.hash, text: texts.get(file.hash)?.toString() ?? '' }
  }
  const now = async (path: string) => (states.has(path) ? states.get(path) : load(current.get(path)))
  function keep(path: string, why: string): void {
    kept.set(path, why)
    // also what newer versions did to it: half an undo is none
    states.delete(path)
  }

  async function undo({ path, before, after }: Pair): Promise<void> {
    if (kept.has(path)) return
    const here = await now(path)
    if (before && after && before.path !== path) {
      if (!here) return
      if (await now(before.path)) return keep(path, `there is another file at ${before.path}`)
      states.set(before.path, here)
      states.set(path, undefined)
      return
    }
    if (here?.hash === before?.hash) return
    if (here?.hash === after?.hash) {
      states.set(path, await load(before))
      return
    }
    if (!here) return keep(path, 'it was deleted since')
    const [old, made] = [await load(before), await load(after)]
    if (here.kind !== 'text' || old?.kind !== 'text' || made?.kind !== 'text') return keep(path, 'it was changed since')
    const { text, conflicts } = mergeTexts({ base: made.text, mine: old.text, theirs: here.text })
    if (conflicts.length > 0) return keep(path, 'others changed the same lines since')
    states.set(path, { kind: 'text', hash: hashOf(text), text })
  }

  for (const number of [...new Set(numbers)].toSorted((a, b) => b - a)) {
    const before = await selectTree(transaction, name, number - 1)
    for (const pair of pairUp(before, await selectTree(transaction, name, number))) await undo(pair)
  }
  const changes = new Map<string, Content | undefined>()
  for (const [path, state] of states) if (state?.hash !== current.get(path)?.hash) changes.set(path, state)
  return { changes, kept: [...kept].map(([path, why]) => ({ path, why })) }
}
