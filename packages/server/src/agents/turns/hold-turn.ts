import { sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'

/** A turn as one taker has it. */
export interface HeldTurn {
  teamId: string
  id: string
  /** Which taking of the turn this is. */
  take: number
}

/** Another server process has taken the turn up, or it has ended: whoever had it writes nothing more. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost'
}

/** Locks a turn for a transaction; throws when it is no longer this taker's. */
export async function holdTurn(transaction: Transaction, { teamId, id, take }: HeldTurn): Promise<void> {
  const { rows } = await transaction.execute(sql`
    SELECT 1 FROM coherex.turn
    WHERE team_id = ${teamId} AND id = ${id} AND take = ${take} AND ended_at IS NULL FOR UPDATE`)
  if (rows.length === 0) throw new TurnLost(`turn ${id} is not held any more`)
}
