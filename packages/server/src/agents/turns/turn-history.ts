import { and, eq, sql } from 'drizzle-orm'
import { storable, type Database } from '../../base/index.ts'
import type { StepRetry } from '../turn/step.ts'
import { holdTurn, type HeldTurn } from './hold-turn.ts'
import { turnHistoryTable } from './tables.ts'

/** Keeps that the provider failed and was asked again. Changes of status are kept by the database itself. */
export async function noteRetry(database: Database, turn: HeldTurn, retry: StepRetry): Promise<void> {
  const { teamId, id: turnId } = turn
  // a crash of the database may lose it: the turn itself hangs on nothing here
  await database.transaction({ team: teamId, durable: false }, async (transaction) => {
    // numbers follow each other because whoever gives one has the turn locked
    await holdTurn(transaction, turn)
    const [last] = await transaction
      .select({ number: sql<number>`coalesce(max(number), 0)` })
      .from(turnHistoryTable)
      .where(and(eq(turnHistoryTable.teamId, teamId), eq(turnHistoryTable.turnId, turnId)))
    const number = (last?.number ?? 0) + 1
    await transaction
      .insert(turnHistoryTable)
      .values({ teamId, turnId, number, kind: 'retry', details: storable(retry) })
  })
}
