import { sql } from 'drizzle-orm'
import type { BusEvent, Database, EventBus } from '../base/index.ts'

/** Whether the person whom the work is done for may see a thread, and with it what belongs to the thread and is held in memory. */
export async function seesThread(database: Database, teamId: string, threadId: string): Promise<boolean> {
  const { rows } = await database.transaction({ team: teamId }, (transaction) =>
    transaction.execute(sql`SELECT FROM coherex.thread WHERE team_id = ${teamId} AND id = ${threadId}`),
  )
  return rows.length > 0
}

/** The one person who sees a thread; null when its team does, undefined when it is gone. */
async function privateTo(database: Database, teamId: string, threadId: string): Promise<string | null | undefined> {
  const { rows } = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.execute<{ private_to: string | null }>(
      sql`SELECT private_to FROM coherex.thread WHERE team_id = ${teamId} AND id = ${threadId}`,
    ),
  )
  return rows[0]?.private_to
}

export interface TellDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
}

/**
 * Tells of something that belongs to a thread those who may see it; of a call that waits for an answer, the team's admins as well.
 * Looked up each time, because a thread's reach may have changed since. Of a thread that is gone nobody needs to hear an id.
 */
export async function tellOfThread(
  { database, events }: TellDeps,
  threadId: string,
  { teamId, type, id }: BusEvent & { teamId: string },
): Promise<void> {
  const personId = await privateTo(database, teamId, threadId)
  const only = personId ? { only: { personId, admins: type === 'approval' } } : {}
  await events.publish({ teamId, type, id: personId === undefined ? null : id, ...only })
}
