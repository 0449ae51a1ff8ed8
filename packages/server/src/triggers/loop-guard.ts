import { sql } from 'drizzle-orm'
import type { Cause } from '../agents/index.ts'
import type { Transaction } from '../base/index.ts'
import type { StoredTrigger } from './tables.ts'

// agents that set each other off
const mostDepth = 3
// firings of one trigger by events
const mostFirings = 30
const windowMinutes = 10

export interface Guarded {
  depth: number
  refusal?: string
  /** It fires no more for a while. */
  isHeld: boolean
}

/** Whether an event may start an agent: not when agents set each other off, nor again and again without a pause. */
export async function guardLoop(
  transaction: Transaction,
  trigger: StoredTrigger,
  causes: readonly Cause[],
): Promise<Guarded> {
  const depths = await Promise.all(causes.map((cause) => depthBehind(transaction, trigger.teamId, cause)))
  const depth = Math.max(0, ...depths)
  if (depth > mostDepth) {
    const refusal = `Agents set each other off ${mostDepth} times in a row, and this would be once more: a person has to start it`
    return { depth, refusal, isHeld: false }
  }
  const { rows } = await transaction.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM coherex.delivery
    WHERE team_id = ${trigger.teamId} AND trigger_id = ${trigger.id} AND kind = 'event' AND status <> 'refused'
      AND received_at > now() - make_interval(mins => ${windowMinutes})`)
  if ((rows[0]?.count ?? 0) < mostFirings) return { depth, isHeld: false }
  const refusal = `It fired ${mostFirings} times within ${windowMinutes} minutes: it rests for as long`
  return { depth, refusal, isHeld: true }
}

export const holdMinutes = windowMinutes

/** How many deliveries are behind what an agent did: also through agents that asked others. */
async function depthBehind(transaction: Transaction, teamId: string, { agentName, turnId }: Cause): Promise<number> {
  const { rows } = await transaction.execute<{ depth: number | null }>(sql`
    WITH RECURSIVE chain (thread_id) AS (
      SELECT thread_id FROM coherex.turn
      WHERE team_id = ${teamId} AND (
        id = ${turnId ?? null}
        -- a file names the agent and not its turn: all of its turns that were just at work may have been it
        OR (${turnId ?? null}::text IS NULL AND agent_name = ${agentName ?? ''}
          AND (ended_at IS NULL OR ended_at > now() - interval '2 minutes')))
      UNION
      SELECT asking.thread_id FROM chain
      JOIN coherex.thread ON thread.team_id = ${teamId} AND thread.id = chain.thread_id
      JOIN coherex.turn asking ON asking.team_id = ${teamId} AND asking.id = thread.parent_turn_id
    )
    SELECT max(depth) + 1 AS depth FROM coherex.delivery
    JOIN chain ON chain.thread_id = delivery.thread_id WHERE delivery.team_id = ${teamId}`)
  return rows[0]?.depth ?? 0
}
