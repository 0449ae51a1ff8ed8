import { isPlainPath } from '@coherex/contract'
import type * as Y from 'yjs'

/**
 * How files lie in a document. `files` maps each path to an entry; a text's characters are in the root text
 * `text:<id>`, so that moving a file changes one entry and whoever types in it goes on typing.
 */
export type FileEntry = { kind: 'text'; id: string } | { kind: 'blob'; hash: string; size: number }

const textPrefix = 'text:'
const filesRoot = 'files'

export function filesOf(doc: Y.Doc): Y.Map<unknown> {
  return doc.getMap(filesRoot)
}

export function isFilesRoot(rootName: string): boolean {
  return rootName === filesRoot
}

export function textOf(doc: Y.Doc, id: string): Y.Text {
  return doc.getText(textPrefix + id)
}

/** The id of a root text by its name, undefined for other roots. */
export function textIdOf(rootName: string): string | undefined {
  return rootName.startsWith(textPrefix) ? rootName.slice(textPrefix.length) : undefined
}

export function entryOf(doc: Y.Doc, path: string): FileEntry | undefined {
  return isPlainPath(path) ? parseEntry(filesOf(doc).get(path)) : undefined
}

/** Every file. What a client put there that is none is passed over. */
export function entriesOf(doc: Y.Doc): Map<string, FileEntry> {
  const entries = new Map<string, FileEntry>()
  for (const [path, value] of filesOf(doc).entries()) {
    const entry = isPlainPath(path) ? parseEntry(value) : undefined
    if (entry) entries.set(path, entry)
  }
  return entries
}

/** Clients write these too, so nothing about them is certain. */
export function parseEntry(value: unknown): FileEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { text, blob, size } = value as { text?: unknown; blob?: unknown; size?: unknown }
  if (typeof text === 'string' && text.length <= 1100) return { kind: 'text', id: text }
  if (typeof blob !== 'string' || !/^[0-9a-f]{64}$/.test(blob)) return undefined
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0
    ? { kind: 'blob', hash: blob, size }
    : undefined
}

/**
 * Gives ids to the texts of new files, each once. They follow from the path, so that two who make the same file at once,
 * apart from each other, find both texts in it. The entries are read at the first new file and not for each: there may be
 * ten thousand.
 */
export function createTextIds(doc: Y.Doc): (path: string) => string {
  let taken: Set<string> | undefined
  return (path) => {
    taken ??= new Set([...entriesOf(doc).values()].flatMap((entry) => (entry.kind === 'text' ? [entry.id] : [])))
    let id = path
    for (let number = 2; taken.has(id); number++) id = `${path}#${number}`
    taken.add(id)
    return id
  }
}

export function setText(doc: Y.Doc, path: string, id: string): void {
  filesOf(doc).set(path, { text: id })
}

export function setBlob(doc: Y.Doc, path: string, blob: { hash: string; size: number }): void {
  filesOf(doc).set(path, { blob: blob.hash, size: blob.size })
}

/** Takes a file away. Its characters go too, so that a file made later at this path begins empty. */
export function deleteEntry(doc: Y.Doc, path: string): void {
  const entry = entryOf(doc, path)
  filesOf(doc).delete(path)
  if (entry?.kind !== 'text') return
  const text = textOf(doc, entry.id)
  if (text.length > 0) text.delete(0, text.length)
}

/** What counts against the limits of a workspace. */
export interface DocumentSize {
  files: number
  characters: number
  largestText: number
}

export function measure(doc: Y.Doc): DocumentSize {
  const size: DocumentSize = { files: filesOf(doc).size, characters: 0, largestText: 0 }
  // every root is counted, named by a path or not: a client can fill any
  for (const name of doc.share.keys()) {
    const length = textIdOf(name) === undefined ? 0 : doc.getText(name).length
    size.characters += length
    size.largestText = Math.max(size.largestText, length)
  }
  return size
}
