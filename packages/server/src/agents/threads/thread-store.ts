import {
  CoherexError,
  type Activity,
  type Page,
  type Thread,
  type ThreadOrigin,
  type ThreadReach,
  type ThreadSummary,
} from '@coherex/contract'
import { and, eq, inArray, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { selectBranch, selectSiblings, toMessage } from './message-store.ts'
import { selectQueued, toQueuedMessage } from './queued-messages.ts'
import { threadTable } from './tables.ts'

export type StoredThread = typeof threadTable.$inferSelect

export interface ThreadFilters {
  limit: number
  cursor?: string | undefined
  agent?: string | undefined
  workspaceId?: string | undefined
  search?: string | undefined
  /** Only threads this person began. */
  personId?: string | undefined
  reach?: ThreadReach | undefined
  isArchived?: boolean | undefined
  /** All but agents' unless said. */
  origins?: readonly ThreadOrigin[] | undefined
}

export function reachOf({ privateTo }: Pick<StoredThread, 'privateTo'>): ThreadReach {
  return privateTo === null ? 'team' : 'private'
}

export async function selectThread(transaction: Transaction, teamId: string, id: string): Promise<StoredThread> {
  const [row] = await transaction
    .select()
    .from(threadTable)
    .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id)))
  if (!row) throw new CoherexError('not_found', 'There is no such thread')
  return row
}

/** A thread with the branch that is shown. */
export async function readThread(database: Database, teamId: string, id: string): Promise<Thread> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const row = await selectThread(transaction, teamId, id)
    const messages = await selectBranch(transaction, teamId, id, row.headId)
    const siblings = await selectSiblings(transaction, teamId, id)
    const [state] = await selectStates(transaction, teamId, [id])
    const queued = await selectQueued(transaction, teamId, id)
    return {
      ...toSummary(row, state),
      messages: messages.map((message) => toMessage(message, siblings)),
      queued: queued.map(toQueuedMessage),
    }
  })
}

/** Pinned ones first, then by the last thing said. */
export async function listThreads(
  database: Database,
  teamId: string,
  filters: ThreadFilters,
): Promise<Page<ThreadSummary>> {
  return database.transaction({ team: teamId }, (transaction) => selectThreads(transaction, teamId, filters))
}

/**
 * Private threads with those of others, of which admins see that they are there, whose they are and what they cost. Nothing
 * that is said in one can be searched for.
 */
export async function listPrivateThreads(
  database: Database,
  { teamId, person }: TeamCaller,
  { search: _, ...filters }: ThreadFilters,
): Promise<Page<ThreadSummary>> {
  const page = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    selectThreads(transaction, teamId, { ...filters, reach: 'private' }),
  )
  const hide = (thread: ThreadSummary): ThreadSummary => ({
    ...thread,
    ...{
      isHidden: true,
      title: '',
      pinned: false,
      turnId: null,
      workspaceId: null,
      sandboxId: null,
      skill: null,
      triesDefinition: false,
    },
  })
  return { ...page, items: page.items.map((one) => (one.createdBy.id === person.id ? one : hide(one))) }
}

async function selectThreads(
  transaction: Transaction,
  teamId: string,
  { limit, cursor, agent, workspaceId, search, personId, reach, isArchived = false, origins }: ThreadFilters,
): Promise<Page<ThreadSummary>> {
  const rows = await transaction
    .select()
    .from(threadTable)
    .where(
      and(
        eq(threadTable.teamId, teamId),
        origins === undefined ? ne(threadTable.origin, 'agent') : inArray(threadTable.origin, [...origins]),
        eq(threadTable.isArchived, isArchived),
        reach && (reach === 'team' ? isNull(threadTable.privateTo) : isNotNull(threadTable.privateTo)),
        agent === undefined ? undefined : eq(threadTable.agentName, agent),
        workspaceId === undefined ? undefined : eq(threadTable.workspaceId, workspaceId),
        personId === undefined ? undefined : eq(threadTable.personId, personId),
        search ? matches(teamId, search) : undefined,
        cursor ? after(decodeCursor(cursor, 3)) : undefined,
      ),
    )
    .orderBy(sql`pinned DESC, updated_at DESC, id DESC`)
    .limit(limit + 1)
  const page = takePage(rows, limit, ({ pinned, updatedAt, id }) => [String(pinned), updatedAt.toISOString(), id])
  const states = await selectStates(
    transaction,
    teamId,
    page.items.map(({ id }) => id),
  )
  const byId = new Map(states.map((state) => [state.threadId, state]))
  return { ...page, items: page.items.map((row) => toSummary(row, byId.get(row.id))) }
}

function matches(teamId: string, search: string): SQL {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(${threadTable.title} ILIKE ${pattern} OR EXISTS (
    SELECT 1 FROM coherex.message
    WHERE message.team_id = ${teamId} AND message.thread_id = ${threadTable.id} AND message.words ILIKE ${pattern}))`
}

function after([pinned = '', updatedAt = '', id = '']: string[]): SQL {
  // what JavaScript takes for a time is far more than what PostgreSQL does
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(updatedAt) || Number.isNaN(Date.parse(updatedAt))) {
    throw new CoherexError('invalid_input', 'The cursor is not one that a list gave', {
      details: [{ field: 'cursor' }],
    })
  }
  return sql`(pinned, updated_at, id) < (${pinned === 'true'}, ${updatedAt}::timestamptz, ${id})`
}

interface ThreadState {
  threadId: string
  turnId: string | null
  activity: Activity | null
  use: ThreadSummary['use']
}

/** What threads took in all, and the turn under way in each. */
async function selectStates(transaction: Transaction, teamId: string, ids: string[]): Promise<ThreadState[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.execute<{
    thread_id: string
    turn_id: string | null
    activity: Activity | null
    input: number
    cached: number
    output: number
    cost: number | null
    duration: number
  }>(sql`
    SELECT thread_id,
      max(id) FILTER (WHERE ended_at IS NULL) AS turn_id,
      max(activity) FILTER (WHERE ended_at IS NULL) AS activity,
      sum(input_tokens)::float8 AS input, sum(cached_input_tokens)::float8 AS cached, sum(output_tokens)::float8 AS output,
      CASE WHEN bool_or(cost_usd IS NULL) THEN NULL ELSE sum(cost_usd) END AS cost,
      coalesce(sum(extract(epoch FROM coalesce(ended_at, now()) - started_at) * 1000), 0)::float8 AS duration
    FROM coherex.turn WHERE team_id = ${teamId} AND thread_id = ANY(${sql.param(ids)}) GROUP BY thread_id`)
  return rows.map((row) => ({
    threadId: row.thread_id,
    turnId: row.turn_id,
    activity: row.activity,
    use: {
      inputTokens: row.input,
      cachedInputTokens: row.cached,
      outputTokens: row.output,
      costUsd: row.cost,
      durationMs: row.duration,
    },
  }))
}

const unused = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0, durationMs: 0 }

function toSummary(row: StoredThread, state: ThreadState | undefined): ThreadSummary {
  return {
    id: row.id,
    agent: row.agentName,
    model: row.model,
    title: row.title,
    pinned: row.pinned,
    reach: reachOf(row),
    startedBy: row.origin,
    isArchived: row.isArchived,
    isHidden: false,
    activity: state?.activity ?? 'idle',
    turnId: state?.turnId ?? null,
    workspaceId: row.workspaceId,
    sandboxId: row.sandboxId,
    skill: row.skill,
    triesDefinition: row.definition !== null,
    use: state?.use ?? unused,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: { id: row.personId, name: row.personName },
  }
}
