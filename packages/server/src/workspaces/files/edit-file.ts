import { CoherexError, type ChangeResult } from '@coherex/contract'
import { entryOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { toLines } from '../merge/line-hunks.ts'
import { findPersonalLines, isPersonal } from '../merge/personal-lines.ts'
import { checkContents, checkExpected, noSuchFile, putContent, type Content } from './change-files.ts'
import { currentText } from './current-text.ts'
import type { Operation, OperationDeps } from './operation.ts'
import { propose } from './propose.ts'
import { readHistory, type TextHistory } from './read-history.ts'

export interface Edit extends Operation {
  path: string
  search: string
  replace: string
}

const shownPlaces = 20

/** Replaces a piece of text that is there exactly once. */
export async function editFile(deps: OperationDeps, document: WorkspaceDocument, edit: Edit): Promise<ChangeResult> {
  const { path, author, readVersion } = edit
  if (author.kind === 'agent' && readVersion !== undefined) {
    const version = await document.closeVersion()
    const history = await readHistory(deps.database, document.name, path, readVersion)
    const proposed = findProposal(history, edit)
    if (proposed && !document.hasChangedSince(path, version)) {
      return propose(deps, document, { ...edit, readVersion, ...proposed })
    }
  }
  await document.change(
    author,
    (doc) => {
      checkExpected(document, path, edit)
      const content: Content = { kind: 'text', text: replaceOnce(document, edit).after }
      checkContents(document, new Map([[path, content]]), new Set())
      putContent(doc, path, content)
    },
    edit,
  )
  return { version: document.version }
}

/** The text of a file before and after an edit. */
export function replaceOnce(
  document: WorkspaceDocument,
  { path, search, replace }: Pick<Edit, 'path' | 'search' | 'replace'>,
): { before: string; after: string } {
  const before = currentText(document, path)
  if (before === undefined) throw noText(document, path)
  const at = findOnce(before, search, path)
  return { before, after: before.slice(0, at) + replace + before.slice(at + search.length) }
}

/** What an agent wants and may not do by itself: its text is in lines a person changed, or was there before they did. */
export function findProposal(
  { base, steps }: TextHistory,
  { search, replace }: Pick<Edit, 'search' | 'replace'>,
): { before: string; after: string } | undefined {
  const current = steps.at(-1)?.text ?? base
  const personal = findPersonalLines(base, steps)
  const [now] = findAll(current, search)
  if (now !== undefined) {
    const start = toLines(current.slice(0, now + 1)).length - 1
    const end = toLines(current.slice(0, now + search.length)).length
    if (!isPersonal(personal, { start, end })) return undefined
    return { before: current, after: current.slice(0, now) + replace + current.slice(now + search.length) }
  }
  const before = findAll(base, search)
  const [at] = before
  if (at === undefined || before.length > 1 || !steps.some(({ byPerson }) => byPerson)) return undefined
  return { before: base, after: base.slice(0, at) + replace + base.slice(at + search.length) }
}

function findOnce(text: string, search: string, path: string): number {
  const found = findAll(text, search)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first === undefined) {
    throw new CoherexError('conflict', `Cannot edit "${path}": the text to replace is not in it`, {
      details: { path, matches: 0, lines: [] },
    })
  }
  const lines = found.slice(0, shownPlaces).map((at) => lineAt(text, at))
  throw new CoherexError(
    'conflict',
    `Cannot edit "${path}": the text to replace is in it ${found.length} times, in lines ${lines.join(', ')}${found.length > shownPlaces ? ', …' : ''}: give more of what is around it`,
    { details: { path, matches: found.length, lines } },
  )
}

function findAll(text: string, search: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) found.push(at)
  return found
}

function lineAt(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}

function noText(document: WorkspaceDocument, path: string): CoherexError {
  if (!entryOf(document.doc, path)) return noSuchFile(path)
  return new CoherexError('conflict', `Cannot edit "${path}": it is a binary or very large file, write it as a whole`)
}
