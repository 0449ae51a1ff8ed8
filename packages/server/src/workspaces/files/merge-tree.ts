import { setImmediate } from 'node:timers/promises'
import { CoherexError, type ChangeResult } from '@coherex/contract'
import { hashOf } from '../content-codec.ts'
import { readTexts } from '../content-store.ts'
import { deleteEntry } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { mergeTexts } from '../merge/merge-texts.ts'
import { selectTree, type TreeFile } from '../version-store.ts'
import { checkContents, putContents, type Content } from './change-files.ts'
import type { Operation, OperationDeps } from './operation.ts'
import { planEdits } from './plan-edits.ts'

export interface TreeMerge extends Pick<Operation, 'author' | 'message'> {
  /** Every file as it is elsewhere. */
  theirs: Map<string, Content>
  /** The version at which both were the same; without it files that are not theirs stay, and all of theirs are written. */
  baseVersion: number | undefined
  /** Where both changed the same lines. */
  conflicts: 'refuse' | 'theirs'
}

const attempts = 5
const namedConflicts = 20

type Trees = { base: Map<string, TreeFile> | undefined; mine: Map<string, TreeFile> }

/** Brings in files from elsewhere as one version: what changed there and what changed here since both were the same. */
export async function mergeTree(
  deps: OperationDeps,
  document: WorkspaceDocument,
  { theirs, baseVersion, conflicts, ...operation }: TreeMerge,
): Promise<ChangeResult> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = await document.closeVersion()
    const changes = await planMerge(deps, document, { theirs, baseVersion, conflicts, version })
    const removed = new Set([...changes].flatMap(([path, content]) => (content ? [] : [path])))
    const written = new Map([...changes].flatMap(([path, content]) => (content ? [[path, content] as const] : [])))
    const plan = await planEdits(document, written)
    const isDone = await document.change(
      operation.author,
      (doc) => {
        if ([...changes.keys()].some((path) => document.hasChangedSince(path, version))) return false
        checkContents(document, written, removed)
        for (const path of removed) deleteEntry(doc, path)
        putContents(doc, written, plan)
        return true
      },
      operation,
    )
    if (isDone) return { version: document.version }
  }
  throw new CoherexError('unavailable', 'Cannot bring the files in: others are changing them, try again')
}

/** What has to be written, and what deleted (undefined). */
async function planMerge(
  deps: OperationDeps,
  { name }: WorkspaceDocument,
  { theirs, baseVersion, conflicts, version }: Omit<TreeMerge, 'author' | 'message'> & { version: number },
): Promise<Map<string, Content | undefined>> {
  const { base, mine }: Trees = await deps.database.transaction({ team: name.teamId }, async (transaction) => ({
    base: baseVersion === undefined ? undefined : byPath(await selectTree(transaction, name, baseVersion)),
    mine: byPath(await selectTree(transaction, name, version)),
  }))
  const textAt = async (file: TreeFile | undefined) => {
    if (file?.kind !== 'text') return ''
    const texts = await deps.database.transaction({ team: name.teamId }, (transaction) =>
      readTexts(transaction, name, [file.hash]),
    )
    return texts.get(file.hash)?.toString() ?? ''
  }
  const changes = new Map<string, Content | undefined>()
  const both: string[] = []
  for (const path of new Set([...theirs.keys(), ...(base?.keys() ?? [])])) {
    const [before, here, there] = [base?.get(path), mine.get(path), theirs.get(path)]
    const hash = hashOfContent(there)
    if (hash === here?.hash || (base && hash === before?.hash)) continue
    if (!base || here?.hash === before?.hash || conflicts === 'theirs') {
      changes.set(path, there)
      if (!base || here?.hash === before?.hash) continue
    }
    const isText = here?.kind === 'text' && there?.kind === 'text' && before?.kind !== 'blob'
    const merge = isText
      ? mergeTexts({ base: await textAt(before), mine: await textAt(here), theirs: there.text })
      : undefined
    if (merge?.conflicts.length === 0) changes.set(path, { kind: 'text', text: merge.text })
    else if (conflicts === 'refuse') both.push(path)
    // others have their turn between two files
    await setImmediate()
  }
  if (both.length === 0) return changes
  const named = both.slice(0, namedConflicts).join(', ') + (both.length > namedConflicts ? ', …' : '')
  throw new CoherexError('conflict', `Both sides changed the same lines: ${named}`, { details: { paths: both } })
}

function byPath(files: TreeFile[]): Map<string, TreeFile> {
  return new Map(files.map((file) => [file.path, file]))
}

function hashOfContent(content: Content | undefined): string | undefined {
  return content?.kind === 'text' ? hashOf(content.text) : content?.hash
}
