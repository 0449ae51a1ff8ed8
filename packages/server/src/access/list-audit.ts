import { CoherexError, type AuditEvent, type Page } from '@coherex/contract'
import { and, desc, eq, gte, ilike, like, lt, or, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../base/index.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { auditEvent } from './tables.ts'

export interface AuditFilters {
  search?: string | undefined
  action?: string | undefined
  actorId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A page of the team's log, newest first. */
export async function listAudit(
  database: Database,
  teamId: string,
  { limit, cursor, ...filters }: AuditFilters & { limit: number; cursor?: string | undefined },
): Promise<Page<AuditEvent>> {
  const conditions = conditionsOf(filters)
  if (cursor) conditions.push(before(cursor))
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(auditEvent)
      .where(and(...conditions))
      .orderBy(desc(auditEvent.at), desc(auditEvent.id))
      .limit(limit + 1),
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(toEvent),
    nextCursor: rows.length > limit && last ? encodeCursor([last.at.toISOString(), last.id]) : null,
  }
}

function before(cursor: string): SQL {
  const [at, id] = decodeCursor(cursor, 2) as [string, string]
  if (Number.isNaN(Date.parse(at))) throw new CoherexError('invalid_input', 'The cursor is not one that a list gave')
  // the database keeps microseconds and the cursor milliseconds: compare what the cursor can say
  return sql`(date_trunc('milliseconds', ${auditEvent.at}), ${auditEvent.id}) < (${at}::timestamptz, ${id})`
}

function conditionsOf({ search, action, actorId, from, to }: AuditFilters): SQL[] {
  const conditions: (SQL | undefined)[] = []
  if (search) {
    const pattern = `%${escapeLike(search)}%`
    const columns = [auditEvent.actorName, auditEvent.action, auditEvent.targetName, auditEvent.targetId, auditEvent.ip]
    conditions.push(or(...columns.map((column) => ilike(column, pattern))))
  }
  if (action) conditions.push(or(eq(auditEvent.action, action), like(auditEvent.action, `${escapeLike(action)}.%`)))
  if (actorId) conditions.push(eq(auditEvent.actorId, actorId))
  if (from) conditions.push(gte(auditEvent.at, new Date(from)))
  if (to) conditions.push(lt(auditEvent.at, new Date(to)))
  return conditions.filter((one) => one !== undefined)
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

function toEvent(row: typeof auditEvent.$inferSelect): AuditEvent {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    target: row.targetKind ? { kind: row.targetKind, id: row.targetId, name: row.targetName } : null,
    details: row.details,
    ip: row.ip,
    requestId: row.requestId,
  }
}
