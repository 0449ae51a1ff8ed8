import {
  CoherexError,
  largestArtifact,
  type Artifact,
  type ArtifactRun,
  type ArtifactVersion,
  type FoundFence,
  type Message,
  type Page,
} from '@coherex/contract'
import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import { createId, storable, type Transaction } from '../base/index.ts'
import { hasPrinted } from '../runs/index.ts'
import { mergeTexts } from '../workspaces/index.ts'
import { artifactTable, artifactVersionTable } from './tables.ts'

export interface PageRequest {
  limit: number
  cursor?: string | undefined
}

type StoredArtifact = typeof artifactTable.$inferSelect

// a conversation with more of them is shown in pieces anyway
const mostOfThread = 500
const gone = 'There is no such artifact'

const ofVersion = (version: SQL) =>
  and(
    eq(artifactVersionTable.teamId, artifactTable.teamId),
    eq(artifactVersionTable.artifactId, artifactTable.id),
    eq(artifactVersionTable.version, version),
  )

const columns = {
  artifact: artifactTable,
  code: artifactVersionTable.code,
  createdAt: artifactVersionTable.createdAt,
  createdBy: artifactVersionTable.createdBy,
  createdByName: artifactVersionTable.createdByName,
  // row-level security shows a private thread to its person alone
  privateTo: sql<
    string | null
  >`(SELECT private_to FROM coherex.thread WHERE thread.team_id = ${artifactTable.teamId} AND thread.id = ${artifactTable.threadId})`,
}

interface ArtifactRow {
  artifact: StoredArtifact
  code: string
  createdAt: Date
  createdBy: string
  createdByName: string
  privateTo: string | null
}

function toArtifact({ artifact, code, createdAt, createdBy, createdByName, privateTo }: ArtifactRow): Artifact {
  const { teamId: _, fence, ...rest } = artifact
  return {
    ...{ ...rest, index: fence, code },
    reach: privateTo === null ? 'team' : 'private',
    updatedAt: createdAt.toISOString(),
    updatedBy: { id: createdBy, name: createdByName },
  }
}

/** An artifact with the text of its newest version, or of the one that is named. */
export async function selectArtifact(
  transaction: Transaction,
  teamId: string,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Artifact> {
  const [row] = await transaction
    .select(columns)
    .from(artifactTable)
    .innerJoin(
      artifactVersionTable,
      ofVersion(version === undefined ? sql`${artifactTable.version}` : sql`${version}::int`),
    )
    .where(and(eq(artifactTable.teamId, teamId), eq(artifactTable.id, id)))
  if (!row)
    throw new CoherexError('not_found', version === undefined ? gone : 'There is no such version of the artifact')
  return { ...toArtifact(row), ...(version !== undefined && { version }) }
}

export async function selectArtifacts(transaction: Transaction, teamId: string, threadId: string): Promise<Artifact[]> {
  const rows = await transaction
    .select(columns)
    .from(artifactTable)
    .innerJoin(artifactVersionTable, ofVersion(sql`${artifactTable.version}`))
    .where(and(eq(artifactTable.teamId, teamId), eq(artifactTable.threadId, threadId)))
    .orderBy(desc(artifactTable.id))
    .limit(mostOfThread)
  return rows.map(toArtifact)
}

/** The id of the artifact that a fence is, made where it was none. Its first version is by whoever wrote the message. */
export async function openFence(
  transaction: Transaction,
  teamId: string,
  { threadId, message, fence }: { threadId: string; message: Message; fence: FoundFence },
): Promise<string> {
  const { index, kind, language, title, code } = fence
  const [made] = await transaction
    .insert(artifactTable)
    .values({ teamId, id: createId('artifact'), threadId, messageId: message.id, fence: index, kind, language, title })
    .onConflictDoNothing()
    .returning({ id: artifactTable.id })
  if (!made) {
    const [known] = await transaction
      .select({ id: artifactTable.id })
      .from(artifactTable)
      .where(
        and(eq(artifactTable.teamId, teamId), eq(artifactTable.messageId, message.id), eq(artifactTable.fence, index)),
      )
    if (!known) throw new CoherexError('not_found', gone)
    return known.id
  }
  await transaction.insert(artifactVersionTable).values({
    ...{ teamId, artifactId: made.id, version: 1, code: storable(code) },
    ...{ createdBy: message.createdBy.id, createdByName: message.createdBy.name },
    createdAt: new Date(message.createdAt),
  })
  return made.id
}

/** Writes the next version down unless the newest says the same. Throws where the newest is another than was seen. */
export async function insertVersion(
  transaction: Transaction,
  teamId: string,
  change: {
    id: string
    code: string
    expectedVersion?: number | undefined
    base?: string | undefined
    person: { id: string; name: string }
  },
): Promise<number | undefined> {
  const { id, expectedVersion, base, person } = change
  const [locked] = await transaction
    .select({ version: artifactTable.version })
    .from(artifactTable)
    .where(and(eq(artifactTable.teamId, teamId), eq(artifactTable.id, id)))
    .for('update')
  if (!locked) throw new CoherexError('not_found', gone)
  const { code: before, updatedBy } = await selectArtifact(transaction, teamId, { id })
  const merged =
    base === undefined || base === before ? undefined : mergeTexts({ base, mine: change.code, theirs: before })
  const code = merged?.text ?? change.code
  if (before === code) return undefined
  const isLate = base === undefined && expectedVersion !== undefined && expectedVersion !== locked.version
  if (isLate || (merged && merged.conflicts.length > 0)) {
    throw new CoherexError(
      'conflict',
      `Cannot save artifact "${id}": it is at version ${locked.version}, by ${updatedBy.name}, and version ${expectedVersion} was changed`,
    )
  }
  const version = locked.version + 1
  if (version > largestArtifact.versions) {
    throw new CoherexError('conflict', `Cannot save artifact "${id}": it has ${largestArtifact.versions} versions`)
  }
  await transaction
    .insert(artifactVersionTable)
    .values({ teamId, artifactId: id, version, code, createdBy: person.id, createdByName: person.name })
  await updateArtifact(transaction, teamId, id, { version })
  return version
}

export async function updateArtifact(
  transaction: Transaction,
  teamId: string,
  id: string,
  change: { version: number } | { runId: string },
): Promise<void> {
  await transaction
    .update(artifactTable)
    .set(change)
    .where(and(eq(artifactTable.teamId, teamId), eq(artifactTable.id, id)))
}

export async function selectVersions(
  transaction: Transaction,
  teamId: string,
  { id, limit, cursor }: PageRequest & { id: string },
): Promise<Page<ArtifactVersion>> {
  await selectArtifact(transaction, teamId, { id })
  const before = cursor === undefined ? undefined : Number(decodeCursor(cursor, 1)[0])
  const rows = await transaction
    .select({
      version: artifactVersionTable.version,
      size: sql<number>`length(${artifactVersionTable.code})`,
      createdAt: artifactVersionTable.createdAt,
      createdBy: artifactVersionTable.createdBy,
      createdByName: artifactVersionTable.createdByName,
    })
    .from(artifactVersionTable)
    .where(
      and(
        eq(artifactVersionTable.teamId, teamId),
        eq(artifactVersionTable.artifactId, id),
        before === undefined || !Number.isInteger(before) ? undefined : lt(artifactVersionTable.version, before),
      ),
    )
    .orderBy(desc(artifactVersionTable.version))
    .limit(limit + 1)
  const page = takePage(rows, limit, ({ version }) => [String(version)])
  return {
    ...page,
    items: page.items.map(({ createdAt, createdBy, createdByName, ...one }) => ({
      ...one,
      createdAt: createdAt.toISOString(),
      createdBy: { id: createdBy, name: createdByName },
    })),
  }
}

/** Runs of the artifacts of a message, or of one, newest first. */
export async function selectExecutions(
  transaction: Transaction,
  teamId: string,
  {
    of,
    limit,
    cursor,
    search,
  }: PageRequest & { of: { id: string } | { threadId: string; messageId: string }; search?: string | undefined },
): Promise<Page<ArtifactRun>> {
  const mine =
    'id' in of
      ? sql`artifact.id = ${of.id}`
      : sql`artifact.thread_id = ${of.threadId} AND artifact.message_id = ${of.messageId}`
  const found = search ? sql`AND ${hasPrinted(search)}` : sql``
  const before = cursor === undefined ? sql`` : sql`AND run.id < ${decodeCursor(cursor, 1)[0] ?? ''}`
  const { rows } = await transaction.execute<{
    id: string
    status: ArtifactRun['status']
    language: ArtifactRun['language']
    duration_ms: number
    peak_memory_mb: number | null
    created_at: Date
    person_id: string
    person_name: string
    artifact_id: string
    artifact_version: number
    reported_by: 'client' | null
    fence: number
  }>(sql`
    SELECT run.id, run.status, run.language, duration_ms, peak_memory_mb, run.created_at, person_id, person_name,
      artifact_id, artifact_version, reported_by, fence
    FROM coherex.artifact JOIN coherex.run ON run.team_id = artifact.team_id AND run.artifact_id = artifact.id
    WHERE artifact.team_id = ${teamId} AND ${mine} ${found} ${before}
    ORDER BY run.id DESC LIMIT ${limit + 1}`)
  const page = takePage(rows, limit, ({ id }) => [id])
  return {
    ...page,
    items: page.items.map((row) => ({
      ...{ id: row.id, status: row.status, language: row.language },
      ...{ durationMs: row.duration_ms, peakMemoryMb: row.peak_memory_mb },
      createdAt: new Date(row.created_at).toISOString(),
      createdBy: { id: row.person_id, name: row.person_name },
      ...{ artifactId: row.artifact_id, artifactVersion: row.artifact_version, index: row.fence },
      ...(row.reported_by && { reportedBy: row.reported_by }),
    })),
  }
}
