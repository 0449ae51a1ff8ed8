import { and, eq, lt } from 'drizzle-orm'
import { forEachTeam, type Database } from '../../base/index.ts'
import { grantedStart } from '../access-prefix.ts'
import { apiKey, attempt, auditEvent, idempotencyKey, oneTimeLink, session, verification } from '../tables.ts'

const idempotencyHours = 24

/** Removes what has had its time: audit events past retention, idempotency keys past a day, sessions, links and counts that ended. */
export async function prune(database: Database, { auditDays }: { auditDays: number }): Promise<void> {
  await forEachTeam(database, (id) =>
    database.transaction({ team: id }, async (transaction) => {
      await transaction.delete(auditEvent).where(lt(auditEvent.at, hoursAgo(auditDays * 24)))
      // what was granted to an OAuth client and not used, or no longer
      await transaction.delete(apiKey).where(and(eq(apiKey.start, grantedStart), lt(apiKey.expiresAt, new Date())))
      await transaction.delete(idempotencyKey).where(lt(idempotencyKey.createdAt, hoursAgo(idempotencyHours)))
    }),
  )
  await database.transaction({}, async (transaction) => {
    await transaction.delete(oneTimeLink).where(lt(oneTimeLink.expiresAt, new Date()))
    await transaction.delete(attempt).where(lt(attempt.resetsAt, new Date()))
    await transaction.delete(session).where(lt(session.expiresAt, new Date()))
    await transaction.delete(verification).where(lt(verification.expiresAt, new Date()))
  })
}

function hoursAgo(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000)
}
