import { CoherexError } from '@coherex/contract'
import { and, eq, gt, sql } from 'drizzle-orm'
import { createToken, type Transaction } from '../../base/index.ts'
import { hashToken } from '../hash-token.ts'
import { oneTimeLink } from '../tables.ts'

const validMinutes = { 'sign-in': 60, reset: 24 * 60 }

type Purpose = keyof typeof validMinutes

/** A token that works once. Only its hash is stored. */
export async function createOneTimeLink(
  transaction: Transaction,
  purpose: Purpose,
  personId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const token = createToken()
  const expiresAt = new Date(Date.now() + validMinutes[purpose] * 60_000)
  // one open link for each purpose: a new one takes the place of those before
  await transaction.delete(oneTimeLink).where(and(eq(oneTimeLink.personId, personId), eq(oneTimeLink.purpose, purpose)))
  await transaction.insert(oneTimeLink).values({ hash: hashToken(token), purpose, personId, expiresAt })
  return { token, expiresAt }
}

/** Uses the link up and says whose it was. */
export async function useOneTimeLink(transaction: Transaction, purpose: Purpose, token: string): Promise<string> {
  const [row] = await transaction
    .delete(oneTimeLink)
    .where(
      and(
        eq(oneTimeLink.hash, hashToken(token)),
        eq(oneTimeLink.purpose, purpose),
        gt(oneTimeLink.expiresAt, sql`now()`),
      ),
    )
    .returning()
  if (!row) throw new CoherexError('unauthenticated', 'This link was used already or is too old: ask for a new one')
  return row.personId
}
