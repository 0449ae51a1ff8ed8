import { CoherexError, type AuditEvent, type Page } from '@coherex/contract'
import { and, desc, eq, getTableColumns, gte, ilike, like, lt, or, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { decodeCursor, takePage, type PageQuery } from '../cursor.ts'
import { auditEvent } from '../tables.ts'

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
  { limit, cursor, ...filters }: AuditFilters & PageQuery,
): Promise<Page<AuditEvent>> {
  const conditions = conditionsOf(filters)
  if (cursor) conditions.push(before(cursor))
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ ...getTableColumns(auditEvent), exactly: exactMoment })
      .from(auditEvent)
      .where(and(eq(auditEvent.teamId, teamId), ...conditions))
      .orderBy(desc(auditEvent.at), desc(auditEvent.id))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.exactly, last.id])
  return { ...page, items: page.items.map(toEvent) }
}

// with the microseconds that a Date loses: many events share a millisecond, and none may fall between two pages
const exactMoment = sql<string>`to_char(${auditEvent.at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const exactForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

function before(cursor: string): SQL {
  const [at, id] = decodeCursor(cursor, 2) as [string, string]
  if (!exactForm.test(at) || !(Date.parse(at) > 0)) {
    throw new CoherexError('invalid_input', 'The cursor is not one that a list gave', {
      details: [{ field: 'cursor' }],
    })
  }
  return sql`(${auditEvent.at}, ${auditEvent.id}) < (${at}::timestamptz, ${id})`
}

/** PostgreSQL has no year 0; nothing happened here before 1970. */
function toDate(moment: string): Date {
  return new Date(Math.max(0, Date.parse(moment)))
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
  if (from) conditions.push(gte(auditEvent.at, toDate(from)))
  if (to) conditions.push(lt(auditEvent.at, toDate(to)))
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
