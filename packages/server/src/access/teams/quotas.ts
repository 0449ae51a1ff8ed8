import { CoherexError, defaultQuotas, type Quotas } from '@coherex/contract'
import { count, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { TeamCaller } from '../caller.ts'
import { member, team } from '../tables.ts'

export async function quotasOf(transaction: Transaction, teamId: string): Promise<Quotas> {
  const [row] = await transaction.select({ quotas: team.quotas }).from(team).where(eq(team.teamId, teamId))
  return { ...defaultQuotas, ...row?.quotas }
}

/** Throws when the team has as many as it may. `using` is what it has now. */
export function checkQuota(quotas: Quotas, name: keyof Quotas, using: number): void {
  if (using < quotas[name]) return
  const retryAfterSeconds = secondsUntilFree(name)
  throw new CoherexError('quota_exceeded', `The team's quota is used up: ${quotas[name]} ${quotaWords[name]}`, {
    details: { quota: name, limit: quotas[name], used: using },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** Days and months are those of UTC. The other quotas are free when something ends, and nobody knows when that is. */
function secondsUntilFree(name: keyof Quotas): number | undefined {
  const now = new Date()
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const freeAt: Partial<Record<keyof Quotas, number>> = {
    runSecondsPerDay: Date.UTC(year, month, day + 1),
    spendUsdPerMonth: Date.UTC(year, month + 1, 1),
    inlineHelpUsdPerPerson: Date.UTC(year, month + 1, 1),
  }
  const at = freeAt[name]
  return at === undefined ? undefined : Math.ceil((at - now.getTime()) / 1000)
}

const quotaWords: Record<keyof Quotas, string> = {
  runsAtOnce: 'runs at once',
  runSecondsPerDay: 'seconds of running code a day',
  storageMb: 'MB of storage',
  sandboxesAtOnce: 'sandboxes awake at once',
  sandboxMemoryMb: 'MB of memory for sandboxes',
  turnsAtOnce: 'turns of agents at once',
  turnsPerPerson: 'turns of agents at once for each person',
  members: 'members',
  spendUsdPerMonth: 'US dollars a month',
  inlineHelpUsdPerPerson: 'US dollars a month for help of each person in the editor',
}

export async function setQuotas(database: Database, caller: TeamCaller, change: Partial<Quotas>): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const before = await quotasOf(transaction, caller.teamId)
    const quotas = { ...before, ...change }
    await transaction.update(team).set({ quotas }).where(eq(team.teamId, caller.teamId))
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'quota.change',
      details: { before, after: quotas },
    })
  })
}

export async function countMembers(transaction: Transaction, teamId: string): Promise<number> {
  const [row] = await transaction.select({ count: count() }).from(member).where(eq(member.teamId, teamId))
  return row?.count ?? 0
}
