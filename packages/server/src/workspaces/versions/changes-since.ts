import type { Author } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'

/** What became of a workspace after a version, for whoever watches it. */
export interface WorkspaceChanges {
  workspaceId: string
  workspaceName: string
  /** The last version looked at. */
  version: number
  /** Age of the oldest and of the newest of the versions. */
  oldestMs: number
  newestMs: number
  changes: { path: string; authors: Author[] }[]
}

const mostVersions = 200
const mostChanges = 2_000

/** The last version of each workspace that a team sees, or of the one that is named: what happens in Scratch begins nothing. */
export async function lastVersions(
  transaction: Transaction,
  teamId: string,
  workspaceId?: string,
): Promise<Record<string, number>> {
  const { rows } = await transaction.execute<{ id: string; version: number }>(sql`
    SELECT id, version FROM coherex.workspace
    WHERE team_id = ${teamId} AND private_to IS NULL AND version > 0 AND (${workspaceId ?? null}::text IS NULL OR id = ${workspaceId ?? null})`)
  return Object.fromEntries(rows.map(({ id, version }) => [id, Number(version)]))
}

/** What changed since the versions that were seen; workspaces that are not among them are new. */
export async function changesSince(
  transaction: Transaction,
  teamId: string,
  seen: Record<string, number>,
  workspaceId?: string,
): Promise<WorkspaceChanges[]> {
  const { rows } = await transaction.execute<{ id: string; name: string; version: number }>(sql`
    SELECT id, name, version FROM coherex.workspace
    WHERE team_id = ${teamId} AND private_to IS NULL AND archived_at IS NULL
      AND version > coalesce((${JSON.stringify(seen)}::jsonb->>id)::bigint, 0)
      AND (${workspaceId ?? null}::text IS NULL OR id = ${workspaceId ?? null})`)
  const found: WorkspaceChanges[] = []
  for (const { id, name } of rows) {
    const after = seen[id] ?? 0
    const { rows: versions } = await transaction.execute<{
      number: number
      author: Author
      coauthors: Author[]
      age_ms: number
    }>(sql`
      SELECT number, author, coauthors, (extract(epoch FROM now() - at) * 1000)::float8 AS age_ms
      FROM coherex.workspace_version
      WHERE team_id = ${teamId} AND workspace_id = ${id} AND number > ${after} ORDER BY number LIMIT ${mostVersions}`)
    const [first, last] = [versions[0], versions.at(-1)]
    if (!first || !last) continue
    const { rows: changes } = await transaction.execute<{ path: string; number: number }>(sql`
      SELECT path, number FROM coherex.workspace_change
      WHERE team_id = ${teamId} AND workspace_id = ${id} AND number > ${after} AND number <= ${last.number}
      ORDER BY number, path LIMIT ${mostChanges}`)
    const authors = new Map(versions.map((one) => [Number(one.number), [one.author, ...one.coauthors]]))
    found.push({
      workspaceId: id,
      workspaceName: name,
      version: Number(last.number),
      oldestMs: first.age_ms,
      newestMs: last.age_ms,
      changes: changes.map(({ path, number }) => ({ path, authors: authors.get(Number(number)) ?? [] })),
    })
  }
  return found
}
