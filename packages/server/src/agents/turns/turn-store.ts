import { CoherexError, type Page, type Turn, type TurnEnding, type TurnStatus } from '@coherex/contract'
import { and, asc, desc, eq, inArray, isNull, lt, max, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import { forEachTeam, type Database, type Transaction } from '../../base/index.ts'
import { spentUsdOf } from '../../models/index.ts'
import type { StoredBudget } from '../turn/budget.ts'
import { turnStepTable, turnTable } from './tables.ts'

export type StoredTurn = typeof turnTable.$inferSelect

/** Writes a turn down before it begins. A thread has one at a time. */
export async function insertTurn(transaction: Transaction, turn: typeof turnTable.$inferInsert): Promise<StoredTurn> {
  const [row] = await transaction.insert(turnTable).values(turn).onConflictDoNothing().returning()
  if (!row) throw new ThreadBusy()
  return row
}

/** A thread has one turn at a time. */
export class ThreadBusy extends CoherexError {
  constructor() {
    super('conflict', 'The agent is still at work in this thread: wait, or stop it')
  }
}

export async function selectTurn(transaction: Transaction, teamId: string, id: string): Promise<StoredTurn> {
  const [row] = await transaction
    .select()
    .from(turnTable)
    .where(and(eq(turnTable.teamId, teamId), eq(turnTable.id, id)))
  if (!row) throw new CoherexError('not_found', 'There is no such turn')
  return row
}

/** The number of the last step that a turn has made; 0 before the first. */
export async function selectLastStep(
  transaction: Transaction,
  { teamId, id }: Pick<StoredTurn, 'teamId' | 'id'>,
): Promise<number> {
  const [row] = await transaction
    .select({ number: max(turnStepTable.number) })
    .from(turnStepTable)
    .where(and(eq(turnStepTable.teamId, teamId), eq(turnStepTable.turnId, id)))
  return row?.number ?? 0
}

export async function selectOpenTurn(
  transaction: Transaction,
  teamId: string,
  threadId: string,
): Promise<StoredTurn | undefined> {
  const [row] = await transaction
    .select()
    .from(turnTable)
    .where(and(eq(turnTable.teamId, teamId), eq(turnTable.threadId, threadId), isNull(turnTable.endedAt)))
  return row
}

/** Ends a turn with whatever it asked other agents for. What they ask is nobody's to answer any more. */
export async function endTurn(
  transaction: Transaction,
  { teamId, turnId, take }: { teamId: string; turnId: string; take?: number },
  ending: TurnEnding,
): Promise<StoredTurn | undefined> {
  const [row] = await transaction
    .update(turnTable)
    .set({ status: statusOf(ending), activity: 'idle', ending, endedAt: new Date(), leaseUntil: null })
    .where(
      and(
        eq(turnTable.teamId, teamId),
        eq(turnTable.id, turnId),
        isNull(turnTable.endedAt),
        take === undefined ? undefined : eq(turnTable.take, take),
      ),
    )
    .returning()
  if (row) await endAsked(transaction, { teamId, turnId }, ending)
  return row
}

/** Writes down what a turn has taken while it is another one's step that takes it. */
export async function keepBudget(
  database: Database,
  { teamId, id, take }: Pick<StoredTurn, 'teamId' | 'id' | 'take'>,
  budget: StoredBudget,
): Promise<void> {
  await database.transaction({ team: teamId, durable: false }, (transaction) =>
    transaction
      .update(turnTable)
      .set({ budget })
      .where(and(eq(turnTable.teamId, teamId), eq(turnTable.id, id), eq(turnTable.take, take))),
  )
}

const askerEnded: TurnEnding = { kind: 'interrupted', message: 'The agent that asked it has ended' }

async function endAsked(
  transaction: Transaction,
  { teamId, turnId }: { teamId: string; turnId: string },
  ending: TurnEnding,
): Promise<void> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    WITH cancelled AS (
      UPDATE coherex.approval SET status = 'cancelled'
      WHERE team_id = ${teamId} AND turn_id = ${turnId} AND status = 'pending'
    )
    SELECT turn.id FROM coherex.thread JOIN coherex.turn ON turn.team_id = thread.team_id AND turn.thread_id = thread.id
    WHERE thread.team_id = ${teamId} AND thread.parent_turn_id = ${turnId} AND turn.depth > 0 AND turn.ended_at IS NULL`)
  for (const { id } of rows) {
    await endTurn(transaction, { teamId, turnId: id }, ending.kind === 'stopped' ? ending : askerEnded)
  }
}

// whoever reads a stream through another server process has long read on by then
const keepStreamMs = 10 * 60_000

/** Removes what was streamed by turns that have ended: their answers are messages. What their views asked in vain expires. */
export async function pruneStreams(database: Database): Promise<void> {
  const before = new Date(Date.now() - keepStreamMs).toISOString()
  await forEachTeam(database, async (teamId) => {
    await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      await transaction.execute(sql`
        DELETE FROM coherex.turn_chunk USING coherex.turn
        WHERE turn_chunk.team_id = ${teamId} AND turn.team_id = ${teamId} AND turn.id = turn_chunk.turn_id
          AND turn.ended_at < ${before}::timestamptz`)
      await transaction.execute(sql`
        UPDATE coherex.approval SET status = 'expired', decided_at = now()
        WHERE team_id = ${teamId} AND status = 'pending' AND call_id LIKE 'app:%' AND expires_at <= now()`)
    })
  })
}

function statusOf({ kind }: TurnEnding): TurnStatus {
  if (kind === 'answered') return 'done'
  return kind === 'stopped' ? 'stopped' : 'failed'
}

export interface TurnUse {
  /** Turns of the team that have not ended: at work, in the queue, asleep. */
  open: number
  /** Those that count against how many may be at work at once. */
  working: number
  /** What models cost the team since the first of the month, in UTC, as far as prices are known. */
  spentUsd: number
}

/** Of all turns, private ones too. */
export async function readTurnUse(database: Database, teamId: string): Promise<TurnUse> {
  const { rows } = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.execute<{ open: number; working: number; spent: number }>(sql`
    SELECT
      (SELECT count(*) FROM coherex.turn WHERE team_id = ${teamId} AND ended_at IS NULL) AS open,
      (SELECT count(*) FROM coherex.turn WHERE team_id = ${teamId} AND ended_at IS NULL
        AND status = 'running' AND depth = 0) AS working,
      ${spentUsdOf(teamId)} AS spent`),
  )
  const [use] = rows
  return { open: use?.open ?? 0, working: use?.working ?? 0, spentUsd: use?.spent ?? 0 }
}

export async function readTurn(database: Database, teamId: string, id: string): Promise<Turn> {
  const turns = await database.transaction({ team: teamId }, async (transaction) =>
    withSteps(transaction, teamId, [await selectTurn(transaction, teamId, id)]),
  )
  const [turn] = await withPositions(database, teamId, turns)
  if (!turn) throw new CoherexError('not_found', 'There is no such turn')
  return turn
}

export interface TurnFilters {
  limit: number
  cursor?: string | undefined
  status?: TurnStatus | undefined
  agent?: string | undefined
  threadId?: string | undefined
}

export async function listTurns(
  database: Database,
  teamId: string,
  { limit, cursor, status, agent, threadId }: TurnFilters,
): Promise<Page<Turn>> {
  // ids begin with the time they were made at: the newest sorts last
  const before = cursor && decodeCursor(cursor, 1)[0]
  const page = await database.transaction({ team: teamId }, async (transaction) => {
    const rows = await transaction
      .select()
      .from(turnTable)
      .where(
        and(
          eq(turnTable.teamId, teamId),
          status && eq(turnTable.status, status),
          agent === undefined ? undefined : eq(turnTable.agentName, agent),
          threadId === undefined ? undefined : eq(turnTable.threadId, threadId),
          before === undefined ? undefined : lt(turnTable.id, before),
        ),
      )
      .orderBy(desc(turnTable.id))
      .limit(limit + 1)
    const found = takePage(rows, limit, (last) => [last.id])
    return { ...found, items: await withSteps(transaction, teamId, found.items) }
  })
  return { ...page, items: await withPositions(database, teamId, page.items) }
}

async function withSteps(transaction: Transaction, teamId: string, turns: StoredTurn[]): Promise<Turn[]> {
  if (turns.length === 0) return []
  const ids = turns.map(({ id }) => id)
  const steps = await transaction
    .select()
    .from(turnStepTable)
    .where(and(eq(turnStepTable.teamId, teamId), inArray(turnStepTable.turnId, ids)))
    .orderBy(asc(turnStepTable.number))
  const byTurn = Map.groupBy(steps, ({ turnId }) => turnId)
  return turns.map((row) => ({
    id: row.id,
    threadId: row.threadId,
    agent: row.agentName,
    questionId: row.questionId,
    answerId: row.answerId,
    agentVersion: row.agentVersion,
    model: row.model,
    status: row.status,
    position: null,
    wakesAt: row.status === 'sleeping' ? row.notBefore.toISOString() : null,
    ending: row.ending,
    steps: (byTurn.get(row.id) ?? []).map((step) => ({
      number: step.number,
      model: step.model,
      finishReason: step.finishReason,
      startedAt: step.startedAt.toISOString(),
      durationMs: step.durationMs,
      firstTokenMs: step.firstTokenMs,
      use: useOf(step),
      calls: step.calls,
    })),
    use: useOf(row),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    createdBy: { id: row.personId, name: row.personName },
    startedBy: row.startedBy,
    retryOf: row.retryOf,
    continues: row.continues,
  }))
}

/** Their places in the team's queue, in which private turns wait too. */
async function withPositions(database: Database, teamId: string, turns: Turn[]): Promise<Turn[]> {
  if (!turns.some(({ status }) => status === 'queued')) return turns
  const queued = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction
      .select({ id: turnTable.id })
      .from(turnTable)
      .where(and(eq(turnTable.teamId, teamId), isNull(turnTable.endedAt), eq(turnTable.status, 'queued')))
      .orderBy(asc(turnTable.createdAt), asc(turnTable.id)),
  )
  const positions = new Map(queued.map(({ id }, index) => [id, index + 1]))
  return turns.map((turn) => ({ ...turn, position: positions.get(turn.id) ?? null }))
}

function useOf(row: Pick<StoredTurn, 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'costUsd'>) {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = row
  return { inputTokens, cachedInputTokens, outputTokens, costUsd }
}
