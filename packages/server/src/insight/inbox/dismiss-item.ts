import { CoherexError } from '@coherex/contract'
import { sql, type SQL } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { inboxDismissalTable as of } from './tables.ts'

/** Ids of items that have a decision of their own. */
const decided = /^((apr|prp)_[0-9a-z]+|(agent|skill|tool):[\w-]+:\d+|mcp:[\w-]+)$/

const notThere = () => new CoherexError('not_found', 'There is no such item in your inbox')

/** Takes a failure out of a person's inbox, with the earlier ones of the same thread or trigger. */
export async function dismissItem(database: Database, caller: TeamCaller, id: string): Promise<void> {
  const { teamId, person } = caller
  const subject = subjectOf(teamId, id)
  if (!subject && decided.test(id))
    throw new CoherexError('conflict', 'This waits for a decision: approve or reject it')
  if (!subject) throw notThere()
  await database.transaction({ team: teamId, person: person.id }, async (transaction) => {
    const { rows } = await transaction.execute<{ subject: string }>(subject)
    const [found] = rows
    if (!found) throw notThere()
    await transaction
      .insert(of)
      .values({ teamId, personId: person.id, subject: found.subject, until: id })
      .onConflictDoUpdate({
        target: [of.teamId, of.personId, of.subject],
        set: { until: sql`greatest(${of.until}, excluded.until)`, dismissedAt: sql`now()` },
      })
  })
}

/** What failed: the thread of a turn, the trigger of a delivery. Undefined for what is decided. */
function subjectOf(teamId: string, id: string): SQL | undefined {
  if (id.startsWith('turn_')) {
    return sql`SELECT thread_id AS subject FROM coherex.turn WHERE team_id = ${teamId} AND id = ${id} AND status = 'failed'`
  }
  if (id.startsWith('dlv_')) {
    return sql`SELECT trigger_id AS subject FROM coherex.delivery
      WHERE team_id = ${teamId} AND id = ${id} AND status IN ('failed', 'refused')`
  }
  return undefined
}
