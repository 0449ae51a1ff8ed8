import type { Author, FileChange } from '@coherex/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { hashOf, packText, type Keyframe } from '../content-codec.ts'
import { lexemesSql } from '../lexemes.ts'
import { changeTable, contentTable, fileTable, versionTable, workspaceTable, type ContentKind } from '../tables.ts'
import type { DocumentName } from './document-store.ts'

/** What a path held when a version was closed; undefined when it was gone. */
export type Captured = { kind: 'text'; text: string } | { kind: 'blob'; hash: string; size: number } | undefined

/** A file as the last version has it. */
export interface KnownFile {
  kind: ContentKind
  hash: string
  size: number
  /** The version that changed it last. */
  number: number
  at: Date
  /** What its next version may be stored against. */
  keyframe?: Keyframe
}

/** A version that is closed but not written. */
export interface ClosedVersion {
  author: Author
  coauthors: Author[]
  message: string | null
  captured: Map<string, Captured>
}

interface Delta {
  path: string
  before: KnownFile | undefined
  after: KnownFile | undefined
  text: string | undefined
}

const listedChanges = 100
// rows of one statement: PostgreSQL takes 65,535 parameters
const rowsAtOnce = 2000

/**
 * Writes a version, as the next number, when it changes anything that `known` does not have. Brings `known` up to date.
 * Runs while the document is locked.
 */
export async function writeVersion(
  transaction: Transaction,
  name: DocumentName,
  {
    version,
    known,
    number,
    seq,
  }: { version: ClosedVersion; known: Map<string, KnownFile>; number: number; seq: number },
): Promise<FileChange[]> {
  const at = new Date()
  const deltas = toDeltas(version.captured, known, number, at)
  if (deltas.length === 0) return []
  const changes = toChanges(deltas)
  await writeContents(transaction, name, deltas)
  const { teamId, workspaceId } = name
  await transaction.insert(versionTable).values({
    teamId,
    workspaceId,
    number,
    seq,
    author: version.author,
    coauthors: version.coauthors,
    message: version.message,
    changes: changes.slice(0, listedChanges),
    changeCount: changes.length,
    at,
  })
  for (const some of inPieces(deltas)) {
    await transaction.insert(changeTable).values(
      some.map(({ path, after }) => ({
        teamId,
        workspaceId,
        path,
        number,
        kind: after?.kind ?? null,
        hash: after?.hash ?? null,
        size: after?.size ?? 0,
      })),
    )
    const ofPaths = inArray(
      fileTable.path,
      some.map(({ path }) => path),
    )
    await transaction
      .delete(fileTable)
      .where(and(eq(fileTable.teamId, teamId), eq(fileTable.workspaceId, workspaceId), ofPaths))
    const kept = some.flatMap(({ path, after, text }) =>
      after
        ? [
            {
              ...{ teamId, workspaceId, path, kind: after.kind, hash: after.hash, size: after.size, number, at },
              lexemes: text === undefined ? null : lexemesSql(text),
            },
          ]
        : [],
    )
    if (kept.length > 0) await transaction.insert(fileTable).values(kept)
  }
  await transaction
    .update(workspaceTable)
    .set({ version: number, versionSeq: seq, updatedAt: at })
    .where(and(eq(workspaceTable.teamId, teamId), eq(workspaceTable.id, workspaceId)))
  for (const { path, after } of deltas) {
    if (after) known.set(path, after)
    else known.delete(path)
  }
  return changes
}

function toDeltas(captured: Map<string, Captured>, known: Map<string, KnownFile>, number: number, at: Date): Delta[] {
  const deltas: Delta[] = []
  for (const [path, content] of captured) {
    const before = known.get(path)
    if (!content) {
      if (before) deltas.push({ path, before, after: undefined, text: undefined })
      continue
    }
    const text = content.kind === 'text' ? content.text : undefined
    const hash = content.kind === 'text' ? hashOf(content.text) : content.hash
    if (before?.hash === hash && before.kind === content.kind) continue
    const size = content.kind === 'text' ? Buffer.byteLength(content.text) : content.size
    deltas.push({ path, before, after: { kind: content.kind, hash, size, number, at }, text })
  }
  return deltas
}

/** A path that went where the same content appeared elsewhere was moved. */
function toChanges(deltas: Delta[]): FileChange[] {
  const gone = new Map<string, string[]>()
  for (const { path, before, after } of deltas) {
    if (before && !after) gone.set(before.hash, [...(gone.get(before.hash) ?? []), path])
  }
  const moved = new Set<string>()
  const changes: FileChange[] = []
  for (const { path, before, after } of deltas) {
    if (!after) continue
    const from = before ? undefined : gone.get(after.hash)?.shift()
    if (from === undefined) changes.push({ path, change: before ? 'changed' : 'added' })
    else {
      moved.add(from)
      changes.push({ path, change: 'moved', from })
    }
  }
  for (const { path, after } of deltas) if (!after && !moved.has(path)) changes.push({ path, change: 'deleted' })
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function writeContents(transaction: Transaction, name: DocumentName, deltas: Delta[]): Promise<void> {
  const rows: (typeof contentTable.$inferInsert)[] = []
  for (const { before, after, text } of deltas) {
    if (!after) continue
    if (text === undefined) {
      rows.push({ ...name, hash: after.hash, kind: 'blob', storedBytes: after.size })
      continue
    }
    const { isKeyframe, ...stored } = await packText(after.hash, text, before?.keyframe)
    if (isKeyframe) after.keyframe = { hash: after.hash, bytes: Buffer.from(text) }
    else if (before?.keyframe) after.keyframe = before.keyframe
    rows.push({ ...name, ...stored, kind: 'text', storedBytes: stored.bytes.length })
  }
  for (const some of inPieces(rows)) await transaction.insert(contentTable).values(some).onConflictDoNothing()
}

function* inPieces<T>(rows: T[]): Iterable<T[]> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce)
}
