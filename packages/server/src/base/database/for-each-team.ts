import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

/** Does upkeep for one team after the other. Only ids are listed; the work opens each team's own scope. */
export async function forEachTeam(database: Database, work: (teamId: string) => Promise<void>): Promise<void> {
  const { rows } = await database.transaction({ listTeams: true }, (transaction) =>
    transaction.execute<{ team_id: string }>(sql`SELECT team_id FROM coherex.team ORDER BY team_id`),
  )
  for (const row of rows) await work(row.team_id)
}
