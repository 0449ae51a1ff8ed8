import type { Session } from '@coherex/contract'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import type { Caller } from '../caller.ts'
import { session } from '../tables.ts'

export async function listSessions(database: Database, caller: Caller): Promise<Session[]> {
  const rows = await database.transaction({}, (transaction) =>
    transaction
      .select()
      .from(session)
      .where(and(eq(session.personId, caller.person.id), gt(session.expiresAt, sql`now()`)))
      .orderBy(desc(session.updatedAt))
      .limit(200),
  )
  return rows.map((row) => ({
    id: row.id,
    current: row.id === caller.credentialId,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.updatedAt.toISOString(),
    ip: row.ipAddress || null,
    userAgent: row.userAgent || null,
  }))
}

/** False where it had ended already. */
export async function endSession(transaction: Transaction, personId: string, id: string): Promise<boolean> {
  const ended = await transaction
    .delete(session)
    .where(and(eq(session.personId, personId), eq(session.id, id)))
    .returning({ id: session.id })
  return ended.length > 0
}

/** Ends a person's sessions, but for the one they are using where that is named. */
export async function endSessions(transaction: Transaction, personId: string, exceptId?: string): Promise<void> {
  await transaction
    .delete(session)
    .where(and(eq(session.personId, personId), exceptId ? ne(session.id, exceptId) : undefined))
}

export async function switchTeam(database: Database, caller: Caller, teamId: string): Promise<void> {
  await database.transaction({}, (transaction) =>
    transaction.update(session).set({ activeTeamId: teamId }).where(eq(session.id, caller.credentialId)),
  )
}
