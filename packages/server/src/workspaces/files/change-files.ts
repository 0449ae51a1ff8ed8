import { CoherexError } from '@coherex/contract'
import type * as Y from 'yjs'
import { hashOf } from '../content-codec.ts'
import { refuseSize } from '../document/document-limits.ts'
import { applyEdits } from '../document/edit-text.ts'
import {
  createTextIds,
  deleteEntry,
  entriesOf,
  entryOf,
  filesOf,
  setBlob,
  setText,
  textOf,
} from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import type { Operation } from './operation.ts'
import { editsFor, type EditPlan } from './plan-edits.ts'

/** What is to be at a path. */
export type Content = { kind: 'text'; text: string } | { kind: 'blob'; hash: string; size: number }

type Expected = Pick<Operation, 'expectedVersion' | 'expectedHash'>

/** Throws unless the file is what the caller expects. */
export function checkExpected(document: WorkspaceDocument, path: string, expected: Expected): void {
  if (expected.expectedVersion !== undefined) checkVersion(document, path, expected.expectedVersion)
  if (expected.expectedHash !== undefined) checkHash(document, path, expected.expectedHash)
}

/** 0 stands for a file that is not there. */
function checkVersion(document: WorkspaceDocument, path: string, version: number): void {
  const isThere = entryOf(document.doc, path) !== undefined
  const isUnchanged = version === 0 ? !isThere : isThere && !document.hasChangedSince(path, version)
  if (isUnchanged) return
  const why = isThere ? `it has changed since version ${version}` : 'it is not there any more'
  throw new CoherexError('conflict', `Cannot change "${path}": ${why}`, {
    details: { path, expectedVersion: version, version: document.version },
  })
}

function checkHash(document: WorkspaceDocument, path: string, expected: '*' | readonly string[]): void {
  const entry = entryOf(document.doc, path)
  const hash = entry?.kind === 'text' ? hashOf(textOf(document.doc, entry.id).toString()) : entry?.hash
  if (hash !== undefined && (expected === '*' || expected.includes(hash))) return
  const why = hash === undefined ? 'it is not there' : 'it is not what was expected to be there'
  throw new CoherexError('conflict', `Cannot change "${path}": ${why}`, {
    details: { path, expectedHash: expected, hash: hash ?? null, version: document.version },
  })
}

/** What is no text is replaced as a whole, so only what was read may be. */
export function checkReplaced(document: WorkspaceDocument, path: string, readVersion: number): void {
  const isThere = entryOf(document.doc, path) !== undefined
  if (isThere && document.hasChangedSince(path, readVersion)) {
    throw new CoherexError('conflict', `Cannot replace "${path}": it has changed since version ${readVersion}`, {
      details: { path, readVersion },
    })
  }
}

/** Throws when the contents cannot all be there: too large, too many, or a file in the place of a folder. */
export function checkContents(document: WorkspaceDocument, contents: Map<string, Content>, removed: Set<string>): void {
  const { doc, size } = document
  const entries = entriesOf(doc)
  const after = { ...size }
  const lengthOf = (path: string) => {
    const entry = entries.get(path)
    return entry?.kind === 'text' ? textOf(doc, entry.id).length : 0
  }
  for (const path of removed) {
    if (entries.delete(path)) after.files--
    after.characters -= lengthOf(path)
  }
  for (const [path, content] of contents) {
    if (!entries.has(path)) after.files++
    after.characters -= lengthOf(path)
    if (content.kind !== 'text') continue
    after.characters += content.text.length
    after.largestText = Math.max(after.largestText, content.text.length)
  }
  refuseSize(after, size)
  const all = new Set([...entries.keys(), ...contents.keys()])
  const folders = new Set([...all].flatMap(foldersOf))
  for (const path of contents.keys()) {
    if (folders.has(path)) throw new CoherexError('conflict', `Cannot write "${path}": there is a folder of that name`)
    const file = foldersOf(path).find((folder) => all.has(folder))
    if (file !== undefined) throw new CoherexError('conflict', `Cannot write "${path}": "${file}" is a file`)
  }
}

/** Puts a content where it belongs; a text becomes the smallest edits of the one that is there. */
export function putContent(doc: Y.Doc, path: string, content: Content): void {
  putContents(doc, new Map([[path, content]]))
}

/** The same for many. */
export function putContents(doc: Y.Doc, contents: Map<string, Content>, plan?: EditPlan): void {
  const textIdFor = createTextIds(doc)
  for (const [path, content] of contents) put(doc, { path, content, textIdFor, plan })
}

interface Putting {
  path: string
  content: Content
  textIdFor: (path: string) => string
  plan: EditPlan | undefined
}

function put(doc: Y.Doc, { path, content, textIdFor, plan }: Putting): void {
  const entry = entryOf(doc, path)
  if (content.kind === 'blob') {
    if (entry?.kind === 'blob' && entry.hash === content.hash) return
    deleteEntry(doc, path)
    setBlob(doc, path, content)
    return
  }
  if (entry?.kind === 'text') {
    const text = textOf(doc, entry.id)
    applyEdits(text, editsFor(plan, path, text.toString(), content.text))
    return
  }
  const id = textIdFor(path)
  const text = textOf(doc, id)
  // left by someone who typed in a file that was deleted meanwhile
  if (text.length > 0) text.delete(0, text.length)
  text.insert(0, content.text)
  setText(doc, path, id)
}

/** The file at a path, or all files in the folder of that name. */
export function pathsAt(doc: Y.Doc, path: string): string[] {
  const entries = entriesOf(doc)
  if (entries.has(path)) return [path]
  const below = [...entries.keys()].filter((one) => one.startsWith(`${path}/`))
  if (below.length === 0) throw noSuchFile(path)
  return below
}

/** Gives files other paths; their texts stay the same, so that nobody who types in them is disturbed. */
export function moveEntries(doc: Y.Doc, moves: Map<string, string>): void {
  const files = filesOf(doc)
  const values = [...moves].map(([from, to]) => ({ to, value: files.get(from) }))
  for (const from of moves.keys()) files.delete(from)
  for (const { to, value } of values) files.set(to, value)
}

export function noSuchFile(path: string): CoherexError {
  return new CoherexError('not_found', `There is no file "${path}"`)
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
