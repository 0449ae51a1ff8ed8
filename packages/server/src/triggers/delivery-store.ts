import { createHash } from 'node:crypto'
import {
  CoherexError,
  type Delivery,
  type DeliveryKind,
  type DeliveryStatus,
  type DeliveryWithPayload,
  type Page,
  type TurnStatus,
} from '@coherex/contract'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import { createId, type Database, type Transaction } from '../base/index.ts'
import { deliveryText } from './delivery-part.ts'
import { deliveryTable, type StoredDelivery, type StoredTrigger } from './tables.ts'

export interface NewDelivery {
  kind: DeliveryKind
  /** The same key is the same firing. */
  key: string
  contentType: string
  body: Buffer
  depth?: number
  redeliveryOf?: string
  /** Of one that was fired by hand: it acts for them. */
  firedBy?: StoredDelivery['firedBy']
  /** Written down as not done, with why. */
  refusal?: string | undefined
}

/** Writes a firing down, once: with a key that was there before, `isNew` is false and nothing happens. */
export async function insertDelivery(
  transaction: Transaction,
  {
    teamId,
    id: triggerId,
    agentName,
    toolName,
    name,
  }: Pick<StoredTrigger, 'teamId' | 'id' | 'agentName' | 'toolName' | 'name'>,
  { refusal, ...delivery }: NewDelivery,
): Promise<{ delivery: StoredDelivery; isNew: boolean }> {
  const { body, key } = delivery
  const [row] = await transaction
    .insert(deliveryTable)
    .values({
      ...{ teamId, id: createId('delivery'), agentName, toolName, triggerId, triggerName: name, ...delivery },
      bodyHash: createHash('sha256').update(body).digest('hex'),
      size: body.length,
      ...(refusal !== undefined && { status: 'refused' as const, reason: refusal }),
    })
    .onConflictDoNothing()
    .returning()
  if (row) return { delivery: row, isNew: true }
  const [before] = await transaction
    .select()
    .from(deliveryTable)
    .where(and(eq(deliveryTable.teamId, teamId), eq(deliveryTable.triggerId, triggerId), eq(deliveryTable.key, key)))
  if (!before) throw new Error(`delivery ${key} is neither new nor there`)
  return { delivery: before, isNew: false }
}

export function jsonBody(value: unknown): Pick<NewDelivery, 'contentType' | 'body'> {
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) }
}

export async function selectDelivery(transaction: Transaction, teamId: string, id: string): Promise<StoredDelivery> {
  const [row] = await transaction
    .select()
    .from(deliveryTable)
    .where(and(eq(deliveryTable.teamId, teamId), eq(deliveryTable.id, id)))
  if (!row) throw new CoherexError('not_found', 'There is no such delivery')
  return row
}

export async function readDelivery(database: Database, teamId: string, id: string): Promise<DeliveryWithPayload> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const row = await selectDelivery(transaction, teamId, id)
    const [shown] = await withTurns(transaction, teamId, [row])
    if (!shown) throw new Error('a delivery was lost while it was read')
    const answer = await selectAnswer(transaction, teamId, shown.turnId)
    return { ...shown, payload: row.body ? row.body.toString('utf8') : null, answer }
  })
}

/** What a turn has said; null before its first words. */
async function selectAnswer(transaction: Transaction, teamId: string, turnId: string | null): Promise<string | null> {
  const { rows } = await transaction.execute<{ words: string }>(sql`
    SELECT words FROM coherex.turn JOIN coherex.message ON message.team_id = turn.team_id AND message.id = turn.answer_id
    WHERE turn.team_id = ${teamId} AND turn.id = ${turnId}`)
  return rows[0]?.words || null
}

export interface DeliveryFilters {
  limit: number
  cursor?: string | undefined
  agent?: string | undefined
  tool?: string | undefined
  triggerId?: string | undefined
  status?: DeliveryStatus | undefined
}

export async function listDeliveries(
  database: Database,
  teamId: string,
  { limit, cursor, agent, tool, triggerId, status }: DeliveryFilters,
): Promise<Page<Delivery>> {
  const before = cursor ? decodeCursor(cursor, 1)[0] : undefined
  return database.transaction({ team: teamId }, async (transaction) => {
    const { body: _body, ...columns } = columnsOf()
    const rows = await transaction
      .select(columns)
      .from(deliveryTable)
      .where(
        and(
          eq(deliveryTable.teamId, teamId),
          agent === undefined ? undefined : eq(deliveryTable.agentName, agent),
          tool === undefined ? undefined : eq(deliveryTable.toolName, tool),
          triggerId === undefined ? undefined : eq(deliveryTable.triggerId, triggerId),
          status === undefined ? undefined : eq(deliveryTable.status, status),
          before === undefined ? undefined : lt(deliveryTable.id, before),
        ),
      )
      .orderBy(desc(deliveryTable.id))
      .limit(limit + 1)
    const page = takePage(rows, limit, (last) => [last.id])
    return { ...page, items: await withTurns(transaction, teamId, page.items) }
  })
}

/** The newest delivery of each trigger. */
export async function lastDeliveries(
  transaction: Transaction,
  teamId: string,
  triggerIds: string[],
): Promise<Map<string, Delivery>> {
  const { body: _body, ...columns } = columnsOf()
  const rows = await transaction
    .selectDistinctOn([deliveryTable.triggerId], columns)
    .from(deliveryTable)
    .where(and(eq(deliveryTable.teamId, teamId), sql`trigger_id = ANY(${sql.param(triggerIds)})`))
    .orderBy(deliveryTable.triggerId, desc(deliveryTable.id))
  const shown = await withTurns(transaction, teamId, rows)
  return new Map(shown.map((one) => [one.triggerId, one]))
}

// without what was sent: a list of it would be megabytes
function columnsOf() {
  const { teamId, id, agentName, toolName, triggerId, triggerName, kind, status, reason, tries } = deliveryTable
  const { threadId, runId, contentType, size, redeliveryOf, receivedAt, startedAt, body } = deliveryTable
  return {
    ...{ teamId, id, agentName, toolName, triggerId, triggerName, kind, status, reason, tries, threadId, runId },
    ...{ contentType, size, redeliveryOf, receivedAt, startedAt, body },
  }
}

type ShownDelivery = Omit<
  StoredDelivery,
  'body' | 'key' | 'bodyHash' | 'depth' | 'notBefore' | 'leaseUntil' | 'firedBy'
>

async function withTurns(transaction: Transaction, teamId: string, rows: ShownDelivery[]): Promise<Delivery[]> {
  const threadIds = rows.flatMap(({ threadId }) => threadId ?? [])
  const { rows: turns } = await transaction.execute<{ thread_id: string; id: string; status: TurnStatus }>(sql`
    SELECT DISTINCT ON (thread_id) thread_id, id, status FROM coherex.turn
    WHERE team_id = ${teamId} AND thread_id = ANY(${sql.param(threadIds)}) ORDER BY thread_id, created_at, id`)
  const byThread = new Map(turns.map((turn) => [turn.thread_id, turn]))
  return rows.map((row) => {
    const turn = byThread.get(row.threadId ?? '')
    return {
      id: row.id,
      agent: row.agentName,
      tool: row.toolName,
      triggerId: row.triggerId,
      trigger: row.triggerName,
      kind: row.kind,
      status: row.status,
      reason: row.reason,
      tries: row.tries,
      threadId: row.status === 'started' ? row.threadId : null,
      turnId: turn?.id ?? null,
      turnStatus: turn?.status ?? null,
      runId: row.runId,
      contentType: row.contentType,
      size: row.size,
      redeliveryOf: row.redeliveryOf,
      receivedAt: row.receivedAt.toISOString(),
      startedAt: row.startedAt?.toISOString() ?? null,
    }
  })
}

/** What the trigger that began a thread was sent, as text for a model. */
export async function readDeliveryText(
  database: Database,
  { teamId, threadId }: { teamId: string; threadId: string },
): Promise<string | undefined> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ body: deliveryTable.body })
      .from(deliveryTable)
      .where(and(eq(deliveryTable.teamId, teamId), eq(deliveryTable.threadId, threadId)))
      .limit(1),
  )
  return row && deliveryText(row)
}
