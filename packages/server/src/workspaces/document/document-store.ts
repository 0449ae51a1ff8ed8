import type { Author } from '@coherex/contract'
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { packLog, unpackLog, type LoggedUpdate } from '../log-codec.ts'
import { fileTable, logTable, snapshotTable, updateTable, workspaceTable } from '../tables.ts'

export interface DocumentName {
  teamId: string
  workspaceId: string
}

/** Where a document's log and versions stand. */
export interface DocumentState {
  seq: number
  version: number
  versionSeq: number
  logBytes: number
  archived: boolean
  /** The one person who may use it; null is the team. */
  privateTo: string | null
}

// parameters of one statement are bounded
const rowsAtOnce = 2000

const stateColumns = {
  seq: workspaceTable.seq,
  version: workspaceTable.version,
  versionSeq: workspaceTable.versionSeq,
  logBytes: workspaceTable.logBytes,
  archived: sql<boolean>`${workspaceTable.archivedAt} IS NOT NULL`,
  privateTo: workspaceTable.privateTo,
}

const isWorkspace = ({ teamId, workspaceId }: DocumentName) =>
  and(eq(workspaceTable.teamId, teamId), eq(workspaceTable.id, workspaceId))

/** Holds the workspace until the transaction ends: one process at a time writes to a document. */
export async function lockDocument(transaction: Transaction, name: DocumentName): Promise<DocumentState | undefined> {
  const [row] = await transaction.select(stateColumns).from(workspaceTable).where(isWorkspace(name)).for('update')
  return row
}

export async function readState(transaction: Transaction, name: DocumentName): Promise<DocumentState | undefined> {
  const [row] = await transaction.select(stateColumns).from(workspaceTable).where(isWorkspace(name))
  return row
}

export async function readSnapshot(transaction: Transaction, { teamId, workspaceId }: DocumentName) {
  const [row] = await transaction
    .select({ seq: snapshotTable.seq, bytes: snapshotTable.bytes })
    .from(snapshotTable)
    .where(and(eq(snapshotTable.teamId, teamId), eq(snapshotTable.workspaceId, workspaceId)))
  return row
}

/** Updates after number `seq` that no snapshot covers. */
export async function readUpdates(
  transaction: Transaction,
  { teamId, workspaceId }: DocumentName,
  seq: number,
): Promise<LoggedUpdate[]> {
  return transaction
    .select({ seq: updateTable.seq, bytes: updateTable.bytes, author: updateTable.author, at: updateTable.at })
    .from(updateTable)
    .where(and(eq(updateTable.teamId, teamId), eq(updateTable.workspaceId, workspaceId), gt(updateTable.seq, seq)))
    .orderBy(asc(updateTable.seq))
}

export async function readFiles(transaction: Transaction, { teamId, workspaceId }: DocumentName) {
  return transaction
    .select({
      path: fileTable.path,
      kind: fileTable.kind,
      hash: fileTable.hash,
      size: fileTable.size,
      number: fileTable.number,
      at: fileTable.at,
    })
    .from(fileTable)
    .where(and(eq(fileTable.teamId, teamId), eq(fileTable.workspaceId, workspaceId)))
}

/** Adds updates behind number `seq`. */
export async function appendUpdates(
  transaction: Transaction,
  { teamId, workspaceId }: DocumentName,
  seq: number,
  updates: { bytes: Uint8Array; author: Author }[],
): Promise<void> {
  const total = updates.reduce((sum, { bytes }) => sum + bytes.length, 0)
  for (let at = 0; at < updates.length; at += rowsAtOnce) {
    const rows = updates.slice(at, at + rowsAtOnce).map(({ bytes, author }, index) => ({
      teamId,
      workspaceId,
      seq: seq + at + index + 1,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      author,
    }))
    await transaction.insert(updateTable).values(rows)
  }
  await transaction
    .update(workspaceTable)
    .set({ seq: seq + updates.length, logBytes: sql`${workspaceTable.logBytes} + ${total}`, updatedAt: new Date() })
    .where(isWorkspace({ teamId, workspaceId }))
}

/** Keeps the document as it is after update `seq`, and packs the updates it covers into the log. */
export async function writeSnapshot(
  transaction: Transaction,
  name: DocumentName,
  { seq, bytes }: { seq: number; bytes: Uint8Array },
): Promise<void> {
  const { teamId, workspaceId } = name
  const content = { seq, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }
  await transaction
    .insert(snapshotTable)
    .values({ teamId, workspaceId, ...content })
    .onConflictDoUpdate({ target: [snapshotTable.teamId, snapshotTable.workspaceId], set: content })
  const covered = await transaction
    .delete(updateTable)
    .where(and(eq(updateTable.teamId, teamId), eq(updateTable.workspaceId, workspaceId), lte(updateTable.seq, seq)))
    .returning({ seq: updateTable.seq, bytes: updateTable.bytes, author: updateTable.author, at: updateTable.at })
  const ordered = covered.toSorted((a, b) => a.seq - b.seq)
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (first && last) {
    await transaction.insert(logTable).values({
      teamId,
      workspaceId,
      firstSeq: first.seq,
      lastSeq: last.seq,
      lastAt: last.at,
      bytes: packLog(ordered),
    })
  }
  await transaction.update(workspaceTable).set({ logBytes: 0 }).where(isWorkspace(name))
}

/** The whole log that is kept, from the oldest update to number `until`. */
export async function readLog(transaction: Transaction, name: DocumentName, until: number): Promise<LoggedUpdate[]> {
  const packed = await transaction
    .select({ firstSeq: logTable.firstSeq, bytes: logTable.bytes })
    .from(logTable)
    .where(and(eq(logTable.teamId, name.teamId), eq(logTable.workspaceId, name.workspaceId)))
    .orderBy(asc(logTable.firstSeq))
  const recent = await readUpdates(transaction, name, 0)
  const all = [...packed.flatMap((row) => unpackLog(row.bytes, row.firstSeq)), ...recent]
  return all.filter(({ seq }) => seq <= until)
}
