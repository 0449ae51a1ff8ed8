import type { ToolRules } from '@coherex/contract'
import { eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { toolRuleTable } from './tool-tables.ts'

/** What a team asks before a tool is published: nothing unless it said so. */
export async function readToolRules(transaction: Transaction, teamId: string): Promise<ToolRules> {
  const [row] = await transaction.select().from(toolRuleTable).where(eq(toolRuleTable.teamId, teamId))
  if (!row) return { toolReview: 'none', service: null }
  const { toolReview, serviceUrl: url, serviceSecret: secret } = row
  return { toolReview, service: url !== null && secret !== null ? { url, secret } : null }
}

export async function setToolRules(database: Database, caller: TeamCaller, rules: ToolRules): Promise<ToolRules> {
  const { teamId } = caller
  const { toolReview, service } = rules
  const columns = { toolReview, serviceUrl: service?.url ?? null, serviceSecret: service?.secret ?? null }
  await database.transaction({ team: teamId }, async (transaction) => {
    const before = await readToolRules(transaction, teamId)
    await transaction
      .insert(toolRuleTable)
      .values({ teamId, ...columns })
      .onConflictDoUpdate({ target: toolRuleTable.teamId, set: columns })
    await recordAudit(transaction, { teamId, actor: caller, action: 'tool.rules', details: { before, after: rules } })
  })
  return rules
}
