import { sql } from 'drizzle-orm'
import { forEachTeam, type Database } from '../base/index.ts'

/**
 * What was under way when a backup was made belonged to servers that never start on its copy, and would stay so for ever. It is
 * given to the one that does, which ends it or takes it up as if it had been killed.
 */
export async function adoptUnfinished(database: Database, serverId: string): Promise<void> {
  await forEachTeam(database, (teamId) =>
    database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      await transaction.execute(sql`UPDATE coherex.run SET server_id = ${serverId} WHERE ended_at IS NULL`)
      await transaction.execute(sql`UPDATE coherex.sandbox SET server_id = ${serverId} WHERE status = 'running'`)
      await transaction.execute(sql`UPDATE coherex.turn SET server_id = ${serverId} WHERE status = 'running'`)
    }),
  )
}
