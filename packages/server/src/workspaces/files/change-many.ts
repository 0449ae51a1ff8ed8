import { CoherexError, type ChangeResult } from '@coherex/contract'
import { deleteEntry, entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, checkExpected, checkReplaced, putContents, type Content } from './change-files.ts'
import { mergeWithCurrent, refuseOverlap } from './merge-with-current.ts'
import type { Operation, OperationDeps } from './operation.ts'
import { planEdits } from './plan-edits.ts'

type Expectation = Pick<Operation, 'expectedVersion' | 'readVersion'>

export interface ManyChanges extends Pick<Operation, 'author' | 'message'> {
  written: (Expectation & { path: string; content: Content })[]
  /** Files; one that is gone already is no matter. */
  removed: (Pick<Operation, 'expectedVersion'> & { path: string })[]
}

const attempts = 5

/** Writes, merges and deletes many files as one version. What keeps one of them back keeps all of them back. */
export async function changeMany(
  deps: OperationDeps,
  document: WorkspaceDocument,
  { written, removed, ...operation }: ManyChanges,
): Promise<ChangeResult> {
  const paths = [...written, ...removed].map(({ path }) => path)
  refuseTwice(paths)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = await document.closeVersion()
    const contents = await mergeAll(deps, document, written)
    const plan = await planEdits(document, contents)
    const isDone = await document.change(
      operation.author,
      (doc) => {
        if (paths.some((path) => document.hasChangedSince(path, version))) return false
        const gone = removed.filter(({ path }) => entryOf(doc, path) !== undefined)
        const refusals = new Refusals()
        for (const file of [...written, ...gone]) refusals.collect(() => checkExpected(document, file.path, file))
        for (const { path, content, readVersion } of written) {
          if (content.kind === 'text' || readVersion === undefined) continue
          refusals.collect(() => checkReplaced(document, path, readVersion))
        }
        refusals.throwAny()
        checkContents(document, contents, new Set(gone.map(({ path }) => path)))
        for (const { path } of gone) deleteEntry(doc, path)
        putContents(doc, contents, plan)
        return true
      },
      operation,
    )
    if (isDone) return { version: document.version }
  }
  throw new CoherexError('unavailable', 'Cannot make the changes: others are changing these files, try again')
}

/** What has to be written, with what others did since it was read. */
async function mergeAll(
  { database }: OperationDeps,
  document: WorkspaceDocument,
  written: ManyChanges['written'],
): Promise<Map<string, Content>> {
  const contents = new Map<string, Content>()
  const refusals = new Refusals()
  for (const { path, content, readVersion } of written) {
    if (content.kind === 'blob' || readVersion === undefined) {
      contents.set(path, content)
      continue
    }
    const merged = await mergeWithCurrent(database, document, { path, text: content.text, readVersion })
    if (merged.kind === 'overlap') refusals.add(refuseOverlap(path, readVersion, merged.why))
    if (merged.kind === 'text') contents.set(path, merged)
  }
  refusals.throwAny()
  return contents
}

const namedRefusals = 10

/** Why files are refused, all of them, so that a caller can go on without them. */
class Refusals {
  readonly #errors: CoherexError[] = []

  add(error: CoherexError): void {
    this.#errors.push(error)
  }

  collect(check: () => void): void {
    try {
      check()
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      this.add(error)
    }
  }

  throwAny(): void {
    if (this.#errors.length === 0) return
    const named = this.#errors.slice(0, namedRefusals).map(({ message }) => message)
    throw new CoherexError('conflict', named.join('; ') + (this.#errors.length > namedRefusals ? '; …' : ''), {
      details: { conflicts: this.#errors.map(({ message, details }) => ({ message, ...(details as object) })) },
    })
  }
}

function refuseTwice(paths: string[]): void {
  const seen = new Set<string>()
  for (const path of paths) {
    if (seen.has(path)) throw new CoherexError('invalid_input', `"${path}" is named twice`)
    seen.add(path)
  }
}
