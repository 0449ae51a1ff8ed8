import type { Readable } from 'node:stream'
import { CoherexError, type WorkspaceFile } from '@coherex/contract'
import { hashOf } from '../content-codec.ts'
import { readTexts } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { entriesOf, entryOf, textOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { selectTreeFile } from '../version-store.ts'
import { noSuchFile } from './change-files.ts'
import { matchFiles } from './match-files.ts'
import type { OperationDeps } from './operation.ts'

/** A file that was read. */
export interface ReadFile {
  kind: 'text' | 'blob'
  size: number
  hash: string
  /** The version of the workspace it was read at. */
  version: number
  body: Buffer | Readable
}

/** A file as it is now. What is typed in it becomes a version first, so that whoever reads can say what they read. */
export async function readFile(deps: OperationDeps, document: WorkspaceDocument, path: string): Promise<ReadFile> {
  if (document.isTyped(path)) await document.closeVersion()
  // perhaps another process made it a moment ago
  else if (!entryOf(document.doc, path)) await document.catchUp()
  const { doc, version, name } = document
  const entry = entryOf(doc, path)
  if (!entry) throw noSuchFile(path)
  if (entry.kind === 'blob') return { ...entry, version, body: await openBlob(deps, name, entry.hash) }
  const bytes = Buffer.from(textOf(doc, entry.id).toString())
  return { kind: 'text', size: bytes.length, hash: hashOf(bytes), version, body: bytes }
}

/** A file as it was at a version. */
export async function readFileAt(
  deps: OperationDeps,
  name: DocumentName,
  path: string,
  version: number,
): Promise<ReadFile> {
  const { file, text } = await deps.database.transaction({ team: name.teamId }, async (transaction) => {
    const found = await selectTreeFile(transaction, name, version, path)
    if (found?.kind !== 'text') return { file: found, text: undefined }
    return { file: found, text: (await readTexts(transaction, name, [found.hash])).get(found.hash) }
  })
  if (!file) throw new CoherexError('not_found', `There is no file "${path}" in version ${version}`)
  const { kind, size, hash } = file
  return { kind, size, hash, version, body: text ?? (await openBlob(deps, name, hash)) }
}

/** Every file as it is now. What is being typed is measured as it stands. */
export function listFiles(document: WorkspaceDocument, globs?: string[]): WorkspaceFile[] {
  const matches = matchFiles(globs)
  const files: WorkspaceFile[] = []
  for (const [path, entry] of entriesOf(document.doc)) {
    if (!matches(path)) continue
    const known = document.known.get(path)
    if (known && !document.hasChangedSince(path, known.number)) {
      files.push({ path, kind: known.kind, size: known.size, hash: known.hash, version: known.number })
    } else if (entry.kind === 'blob') files.push({ path, ...entry, version: document.version + 1 })
    else {
      const bytes = Buffer.from(textOf(document.doc, entry.id).toString())
      files.push({ path, kind: 'text', size: bytes.length, hash: hashOf(bytes), version: document.version + 1 })
    }
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function openBlob({ blobs }: OperationDeps, { teamId }: DocumentName, hash: string): Promise<Readable> {
  const body = await blobs.read(teamId, hash)
  if (!body) throw new CoherexError('not_found', 'The content of this file is gone')
  return body
}
