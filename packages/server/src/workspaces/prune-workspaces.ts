import { sql } from 'drizzle-orm'
import { forEachTeam, type Database, type ReleaseBlobs, type Transaction } from '../base/index.ts'

/**
 * Forgets versions past their workspace's retention, with the part of the log they came from. Tagged versions, those that a
 * repository was last synced with and the last one stay, and so does everything they are made of.
 */
export async function pruneWorkspaces(database: Database, releaseBlobs: ReleaseBlobs): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    // of processes that were killed
    await database.transaction({ team: teamId }, (transaction) =>
      transaction.execute(sql`
        DELETE FROM coherex.workspace_presence WHERE team_id = ${teamId} AND at < now() - interval '1 hour'`),
    )
    const { rows } = await database.transaction({ team: teamId }, (transaction) =>
      transaction.execute<{ id: string; days: number }>(sql`
        SELECT id, retention_days AS days FROM coherex.workspace WHERE team_id = ${teamId} AND retention_days IS NOT NULL`),
    )
    for (const { id, days } of rows) {
      const released = await database.transaction({ team: teamId }, (transaction) =>
        pruneWorkspace(transaction, { teamId, id, days }),
      )
      releaseBlobs(teamId, released)
    }
  })
}

/** Answers the blobs that no version of the workspace holds any more. */
async function pruneWorkspace(
  transaction: Transaction,
  { teamId, id, days }: { teamId: string; id: string; days: number },
): Promise<string[]> {
  const isOld = sql`now() - make_interval(days => ${days})`
  const ofWorkspace = sql`team_id = ${teamId} AND workspace_id = ${id}`
  // whoever writes to the workspace waits
  await transaction.execute(
    sql`SELECT FROM coherex.workspace WHERE team_id = ${teamId} AND coherex.workspace.id = ${id} FOR UPDATE`,
  )
  const { rows: forgotten } = await transaction.execute(sql`
    DELETE FROM coherex.workspace_version v
    WHERE ${ofWorkspace} AND at < ${isOld}
      AND number < (SELECT max(number) FROM coherex.workspace_version WHERE ${ofWorkspace})
      AND NOT EXISTS (SELECT FROM coherex.workspace_tag t
        WHERE t.team_id = v.team_id AND t.workspace_id = v.workspace_id AND t.number = v.number)
      AND NOT EXISTS (SELECT FROM coherex.workspace_remote r
        WHERE r.team_id = v.team_id AND r.workspace_id = v.workspace_id AND v.number IN (r.version, r.next_version))
    RETURNING number`)
  await transaction.execute(sql`DELETE FROM coherex.workspace_log WHERE ${ofWorkspace} AND last_at < ${isOld}`)
  if (forgotten.length === 0) return []
  // a change is needed while a version that is left shows it
  await transaction.execute(sql`
    DELETE FROM coherex.workspace_change c
    USING (SELECT path, number, lead(number) OVER (PARTITION BY path ORDER BY number) AS next
           FROM coherex.workspace_change WHERE ${ofWorkspace}) AS o
    WHERE c.team_id = ${teamId} AND c.workspace_id = ${id} AND c.path = o.path AND c.number = o.number
      AND NOT EXISTS (SELECT FROM coherex.workspace_version v
        WHERE v.team_id = ${teamId} AND v.workspace_id = ${id} AND v.number >= o.number
          AND (o.next IS NULL OR v.number < o.next))`)
  const { rows } = await transaction.execute<{ hash: string; kind: string }>(sql`
    WITH RECURSIVE needed AS (
      SELECT hash FROM coherex.workspace_change WHERE ${ofWorkspace} AND hash IS NOT NULL
      UNION SELECT hash FROM coherex.workspace_file WHERE ${ofWorkspace}
      UNION SELECT c.base FROM coherex.workspace_content c JOIN needed n ON n.hash = c.hash
        WHERE c.team_id = ${teamId} AND c.workspace_id = ${id} AND c.base IS NOT NULL
    )
    DELETE FROM coherex.workspace_content WHERE ${ofWorkspace} AND hash NOT IN (SELECT hash FROM needed)
    RETURNING hash, kind`)
  return rows.filter(({ kind }) => kind === 'blob').map(({ hash }) => hash)
}
