import { CoherexError } from '@coherex/contract'
import { inArray, sql } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { hashToken } from '../hash-token.ts'
import { attempt } from '../tables.ts'

const windowMinutes = 15
const limits = { accountAndAddress: 10, account: 100, address: 200 }

/**
 * Counts tries to sign in, in the database so that all server processes count together. Refuses before the password is
 * looked at. An account is slowed for one address first, and for all only after many more, so that a stranger cannot
 * lock its owner out with a handful of tries.
 */
export async function countSignInAttempt(database: Database, email: string, ip: string | null): Promise<void> {
  const keys = keysOf(email, ip)
  const rows = await database.transaction({}, async (transaction) =>
    transaction
      .insert(attempt)
      .values(
        Object.values(keys).map((key) => ({
          key,
          count: 1,
          resetsAt: sql`now() + make_interval(mins => ${windowMinutes})`,
        })),
      )
      .onConflictDoUpdate({
        target: attempt.key,
        set: {
          count: sql`CASE WHEN ${attempt.resetsAt} < now() THEN 1 ELSE ${attempt.count} + 1 END`,
          resetsAt: sql`CASE WHEN ${attempt.resetsAt} < now() THEN excluded.resets_at ELSE ${attempt.resetsAt} END`,
        },
      })
      .returning(),
  )
  for (const [name, key] of Object.entries(keys) as [keyof typeof limits, string][]) {
    const row = rows.find((one) => one.key === key)
    if (!row || row.count <= limits[name]) continue
    const retryAfterSeconds = Math.max(1, Math.ceil((row.resetsAt.getTime() - Date.now()) / 1000))
    throw new CoherexError('quota_exceeded', 'Too many tries to sign in: wait some minutes', { retryAfterSeconds })
  }
}

/** A right password clears the account's counts. */
export async function clearSignInAttempts(database: Database, email: string, ip: string | null): Promise<void> {
  const { account, accountAndAddress } = keysOf(email, ip)
  await database.transaction({}, (transaction) =>
    transaction.delete(attempt).where(inArray(attempt.key, [account, accountAndAddress])),
  )
}

function keysOf(email: string, ip: string | null): Record<keyof typeof limits, string> {
  return {
    accountAndAddress: hashToken(`account+address ${email} ${ip}`),
    account: hashToken(`account ${email}`),
    address: hashToken(`address ${ip}`),
  }
}
