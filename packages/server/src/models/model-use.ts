import { and, eq, inArray, sql, sum, type SQL } from 'drizzle-orm'
import type { Database } from '../base/index.ts'
import type { Price } from './catalogue.ts'
import { costOf, type TokenUse } from './cost.ts'
import { modelUseTable } from './tables.ts'

const keyOfUse = [
  ...[modelUseTable.teamId, modelUseTable.month, modelUseTable.purpose, modelUseTable.model],
  modelUseTable.personId,
]
const thisMonth = sql`date_trunc('month', now() AT TIME ZONE 'UTC')`

/** What a model is asked for outside of turns. */
export type AskPurpose = 'suggestion' | 'assist' | 'review'

const helpPurposes = ['suggestion', 'assist'] as const

/** Help in the editor: a person has a budget for it. */
export const isHelp = (purpose: AskPurpose): boolean => helpPurposes.some((one) => one === purpose)

interface CountedCall {
  teamId: string
  /** Nobody's where the team itself asks. */
  personId?: string | undefined
  purpose: 'embedding' | AskPurpose
  model: string
  tokens: TokenUse
  price: Price | undefined
}

/** Counts a call of a model that no turn makes. */
export async function countUse(
  database: Database,
  { teamId, personId = '', purpose, model, tokens, price }: CountedCall,
): Promise<void> {
  const { calls, inputTokens, outputTokens, costUsd } = modelUseTable
  const { input, output } = tokens
  const cost = costOf(tokens, price) ?? 0
  const use = { calls: 1, inputTokens: input, outputTokens: output, costUsd: cost }
  await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .insert(modelUseTable)
      .values({ teamId, personId, month: thisMonth, purpose, model, ...use })
      .onConflictDoUpdate({
        target: keyOfUse,
        set: {
          calls: sql`${calls} + 1`,
          inputTokens: sql`${inputTokens} + ${input}`,
          outputTokens: sql`${outputTokens} + ${output}`,
          costUsd: sql`${costUsd} + ${cost}`,
        },
      }),
  )
}

/**
 * What models cost a team since the first of the month, in UTC, as far as prices are known. For a transaction of the
 * upkeep: private turns count too, and so do those that were deleted.
 */
export function spentUsdOf(teamId: string): SQL {
  return sql`(
    (SELECT coalesce(sum(cost_usd), 0) FROM coherex.turn
      WHERE team_id = ${teamId} AND created_at >= ${thisMonth} AT TIME ZONE 'UTC') +
    (SELECT coalesce(sum(cost_usd), 0) FROM coherex.model_use
      WHERE team_id = ${teamId} AND month >= ${thisMonth}))`
}

export async function readSpentUsd(database: Database, teamId: string): Promise<number> {
  const { rows } = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.execute<{ spent: number }>(sql`SELECT ${spentUsdOf(teamId)} AS spent`),
  )
  return rows[0]?.spent ?? 0
}

/** What help in the editor cost for one person since the first of the month. */
export async function readHelpUsd(
  database: Database,
  { teamId, personId }: { teamId: string; personId: string },
): Promise<number> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ spent: sum(modelUseTable.costUsd).mapWith(Number) })
      .from(modelUseTable)
      .where(
        and(
          ...[eq(modelUseTable.teamId, teamId), eq(modelUseTable.personId, personId)],
          ...[inArray(modelUseTable.purpose, helpPurposes), eq(modelUseTable.month, thisMonth)],
        ),
      ),
  )
  return row?.spent ?? 0
}
