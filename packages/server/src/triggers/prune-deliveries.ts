import { sql } from 'drizzle-orm'
import { forEachTeam, type Database } from '../base/index.ts'

// payloads are large and rarely looked at; rows tell that a delivery was there, so that it cannot come again
const payloadDays = 30
const rowDays = 400

/**
 * Lets go of old payloads, and much later of the rows. Age counts from the newest delivery and not from the clock: one
 * that jumps ahead by years takes nothing with it.
 */
export async function pruneDeliveries(database: Database): Promise<void> {
  await forEachTeam(database, (teamId) =>
    database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      const newest = sql`least(now(), (SELECT max(received_at) FROM coherex.delivery WHERE team_id = ${teamId}))`
      await transaction.execute(sql`
        UPDATE coherex.delivery SET body = NULL
        WHERE team_id = ${teamId} AND body IS NOT NULL AND status <> 'pending'
          AND received_at < ${newest} - make_interval(days => ${payloadDays})`)
      await transaction.execute(sql`
        DELETE FROM coherex.delivery
        WHERE team_id = ${teamId} AND status <> 'pending' AND received_at < ${newest} - make_interval(days => ${rowDays})`)
    }),
  )
}
