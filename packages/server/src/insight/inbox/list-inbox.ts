import type { InboxCount, InboxItem, InboxKind, Page } from '@coherex/contract'
import { sql, type SQL } from 'drizzle-orm'
import { decodeMomentCursor, takePage, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { describeItem, type InboxFacts } from './describe-item.ts'
import { inboxSides, type InboxSide } from './inbox-sides.ts'

export interface InboxQuery {
  limit: number
  cursor?: string | undefined
  /** Separated by commas. */
  kinds?: string | undefined
}

interface Row extends Record<string, unknown> {
  kind: InboxKind
  id: string
  /** In UTC, to the microsecond: a cursor must not skip what came in the same millisecond. */
  at: string
  facts: InboxFacts
}

const mostCounted = 100

/** What waits for a person, newest first: one statement, whatever the kinds. */
export async function listInbox(
  database: Database,
  caller: TeamCaller,
  { limit, cursor, kinds }: InboxQuery,
): Promise<Page<InboxItem>> {
  const asked = kinds?.split(',')
  const sides = inboxSides(caller).filter(({ kind }) => asked?.includes(kind) ?? true)
  const after = cursor === undefined ? undefined : decodeMomentCursor(cursor)
  if (sides.length === 0) return { items: [], nextCursor: null }
  const { rows } = await database.transaction(scopeOf(caller), (transaction) =>
    transaction.execute<Row>(sql`
      SELECT kind, id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, facts
      FROM (${union(sides, limit + 1, after)}) AS item ORDER BY item.at DESC, item.id DESC LIMIT ${limit + 1}`),
  )
  const page = takePage(rows, limit, ({ at, id }) => [at, id])
  return { ...page, items: page.items.map((row) => describeItem({ ...row, at: new Date(row.at) })) }
}

export async function countInbox(database: Database, caller: TeamCaller): Promise<InboxCount> {
  const sides = inboxSides(caller)
  if (sides.length === 0) return { count: 0, isMore: false }
  const { rows } = await database.transaction(scopeOf(caller), (transaction) =>
    transaction.execute<{ count: number }>(sql`
      SELECT count(*) AS count FROM (${union(sides, mostCounted + 1)}) AS item`),
  )
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, mostCounted), isMore: count > mostCounted }
}

const scopeOf = ({ teamId, person }: TeamCaller) => ({ team: teamId, person: person.id })

/** Each side is cut before they meet: none is read further than a page. */
function union(sides: readonly InboxSide[], limit: number, after?: { at: string; id: string }): SQL {
  const parts = sides.map(({ kind, id, at, facts, from, where }) => {
    const isAfter = after ? sql`AND (${at}, ${id}) < (${after.at}::timestamptz, ${after.id})` : sql``
    return sql`(SELECT ${kind}::text AS kind, ${id} AS id, ${at} AS at, ${facts} AS facts FROM ${from}
      WHERE ${where} ${isAfter} ORDER BY 3 DESC, 2 DESC LIMIT ${limit})`
  })
  return sql.join(parts, sql` UNION ALL `)
}
