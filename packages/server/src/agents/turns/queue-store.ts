import type { TurnEnding } from '@coherex/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { quotasOf, recordAudit } from '../../access/index.ts'
import { forEachTeam, type Database, type Log, type Transaction } from '../../base/index.ts'
import type { StoredBudget } from '../turn/budget.ts'
import type { TurnPause } from '../turn/ending.ts'
import { holdTurn, type HeldTurn } from './hold-turn.ts'
import { turnTable } from './tables.ts'
import { endTurn, type StoredTurn } from './turn-store.ts'

/** A server, and how long it is believed to be at work without saying so. */
export interface Taker {
  serverId: string
  leaseSeconds: number
}

/** Servers that may be lost over a turn without any progress. */
const mostFailures = 5

/**
 * Takes the turn whose time has come: among those that fit within the limits of team, person and agent, of the person
 * with the fewest under way, the oldest. One at a time in a team, so that limits hold across server processes.
 */
export async function takeNextTurn(
  database: Database,
  teamId: string,
  taker: Taker,
): Promise<{ turn?: StoredTurn | undefined; mayBeMore: boolean }> {
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    await transaction.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`turns of ${teamId}`}, 0))`)
    const { turnsAtOnce, turnsPerPerson } = await quotasOf(transaction, teamId)
    const { rows } = await transaction.execute<{ id: string }>(sql`
      WITH running AS (
        SELECT person_id, agent_name FROM coherex.turn
        WHERE team_id = ${teamId} AND ended_at IS NULL AND status = 'running' AND depth = 0
      ), waiting AS (
        SELECT id, created_at, most_of_agent,
          (SELECT count(*) FROM running WHERE running.person_id = turn.person_id) AS of_person,
          (SELECT count(*) FROM running WHERE running.agent_name = turn.agent_name) AS of_agent
        FROM coherex.turn
        WHERE team_id = ${teamId} AND ended_at IS NULL AND status = 'queued' AND not_before <= now() AND depth = 0
      )
      SELECT id FROM waiting
      WHERE (SELECT count(*) FROM running) < ${turnsAtOnce} AND of_person < ${turnsPerPerson}
        AND (most_of_agent IS NULL OR of_agent < most_of_agent)
      ORDER BY of_person, created_at, id LIMIT 2`)
    const [first, second] = rows
    if (!first) return { mayBeMore: false }
    return { turn: await take(transaction, teamId, first.id, taker), mayBeMore: second !== undefined }
  })
}

/**
 * Takes a turn that another one asked for, past the queue. Only whoever has the asking one does that, and may do it at any
 * time: a server that still has this one has lost both. Undefined when it has ended.
 */
export async function takeAsked(
  database: Database,
  { teamId, id }: Pick<StoredTurn, 'teamId' | 'id'>,
  holdAsking: (transaction: Transaction) => Promise<void>,
  taker: Taker,
): Promise<StoredTurn | undefined> {
  return database.transaction({ team: teamId }, async (transaction) => {
    await holdAsking(transaction)
    const [row] = await transaction
      .update(turnTable)
      .set({ ...taken(taker), failures: sql`failures + (status = 'running')::integer` })
      .where(and(eq(turnTable.teamId, teamId), eq(turnTable.id, id), isNull(turnTable.endedAt)))
      .returning()
    return row
  })
}

async function take(
  transaction: Transaction,
  teamId: string,
  id: string,
  taker: Taker,
): Promise<StoredTurn | undefined> {
  const [row] = await transaction
    .update(turnTable)
    .set(taken(taker))
    .where(and(eq(turnTable.teamId, teamId), eq(turnTable.id, id), eq(turnTable.status, 'queued')))
    .returning()
  return row
}

function taken({ serverId, leaseSeconds }: Taker) {
  return {
    status: 'running' as const,
    activity: 'thinking' as const,
    serverId,
    take: sql`take + 1`,
    leaseUntil: sql`now() + make_interval(secs => ${leaseSeconds})`,
    startedAt: sql`coalesce(started_at, now())`,
  }
}

/** Says that this server is still at work on these. */
export async function renewLeases(
  database: Database,
  teamId: string,
  held: readonly Pick<HeldTurn, 'id' | 'take'>[],
  { leaseSeconds }: Taker,
): Promise<void> {
  await database.transaction({ team: teamId, upkeep: true, durable: false }, (transaction) =>
    transaction.execute(sql`
      UPDATE coherex.turn SET lease_until = now() + make_interval(secs => ${leaseSeconds})
      FROM jsonb_to_recordset(${JSON.stringify(held.map(({ id, take: number }) => ({ id, take: number })))}::jsonb)
        AS held (id text, take integer)
      WHERE team_id = ${teamId} AND turn.id = held.id AND turn.take = held.take AND status = 'running'`),
  )
}

/** Puts a turn to rest: no process holds it until its time has come. */
export async function restTurn(
  database: Database,
  turn: HeldTurn,
  pause: TurnPause,
  budget: StoredBudget,
): Promise<void> {
  const { teamId, id } = turn
  await database.transaction({ team: teamId }, async (transaction) => {
    await holdTurn(transaction, turn)
    // an answer may have come while other calls of the step were still running
    const approvalIds = pause.kind === 'waiting' ? pause.approvalIds : []
    const { rows } = await transaction.execute(sql`
      SELECT 1 FROM coherex.approval
      WHERE team_id = ${teamId} AND id = ANY(${sql.param(approvalIds)}) AND status <> 'pending' LIMIT 1`)
    const status = pause.kind === 'leaving' || rows.length > 0 ? 'queued' : pause.kind
    await transaction
      .update(turnTable)
      .set({
        status,
        activity: status,
        leaseUntil: null,
        failures: 0,
        budget,
        notBefore: pause.kind === 'sleeping' && status === 'sleeping' ? pause.until : sql`now()`,
      })
      .where(and(eq(turnTable.teamId, teamId), eq(turnTable.id, id)))
  })
}

const lostOften: TurnEnding = {
  kind: 'interrupted',
  message: `Its server stopped ${mostFailures} times in a row while it worked on this, so it is not tried again by itself`,
}

/** What the clock brings in a team: questions expire, sleepers wake, and turns of servers that fell silent are freed. */
export async function sweepTeam(database: Database, teamId: string): Promise<{ hasQueue: boolean; changed: string[] }> {
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    const { rows: open } = await transaction.execute<{ status: string; due: boolean }>(sql`
      SELECT DISTINCT status, CASE status WHEN 'running' THEN lease_until < now() ELSE not_before <= now() END AS due
      FROM coherex.turn WHERE team_id = ${teamId} AND ended_at IS NULL`)
    const changed: string[] = []
    if (open.some(({ status }) => status === 'waiting')) changed.push(...(await expireApprovals(transaction, teamId)))
    if (open.some(({ status, due }) => status === 'sleeping' && due)) changed.push(...(await wake(transaction, teamId)))
    if (open.some(({ status, due }) => status === 'running' && due)) changed.push(...(await free(transaction, teamId)))
    return { changed, hasQueue: changed.length > 0 || open.some(({ status, due }) => status === 'queued' && due) }
  })
}

async function expireApprovals(transaction: Transaction, teamId: string): Promise<string[]> {
  // first the turns, as everyone does who changes both: of agents that asked each other the outermost, which goes on
  const { rows } = await transaction.execute<{ thread_id: string; turn_id: string }>(sql`
    SELECT thread_id, id AS turn_id FROM coherex.turn
    WHERE team_id = ${teamId} AND status = 'waiting' AND depth = 0 AND EXISTS (
      SELECT 1 FROM coherex.approval
      WHERE approval.team_id = ${teamId} AND (approval.turn_id = turn.id OR approval.root_thread_id = turn.thread_id)
        AND approval.status = 'pending' AND approval.expires_at <= now())
    FOR UPDATE`)
  if (rows.length === 0) return []
  const ids = sql.param(rows.map((row) => row.turn_id))
  const threadIds = sql.param(rows.map((row) => row.thread_id))
  const expired = await transaction.execute<{ id: string; tool: string }>(sql`
    UPDATE coherex.approval SET status = 'expired', decided_at = now()
    WHERE team_id = ${teamId} AND (turn_id = ANY(${ids}) OR root_thread_id = ANY(${threadIds}))
      AND status = 'pending' AND expires_at <= now()
    RETURNING id, tool`)
  await transaction.execute(sql`
    UPDATE coherex.turn SET status = 'queued', activity = 'queued', not_before = now()
    WHERE team_id = ${teamId} AND id = ANY(${ids})`)
  const actor = { kind: 'system' as const, name: 'Coherex' }
  const entries = expired.rows.map(({ id, tool }) => ({
    teamId,
    actor,
    action: 'approval.expire' as const,
    target: { kind: 'approval', id, name: tool },
  }))
  await recordAudit(transaction, ...entries)
  return rows.map((row) => row.thread_id)
}

async function wake(transaction: Transaction, teamId: string): Promise<string[]> {
  // those that others asked for go on with the one that asked
  const { rows: asked } = await transaction.execute<{ thread_id: string }>(sql`
    SELECT thread_id FROM coherex.turn
    WHERE team_id = ${teamId} AND status = 'sleeping' AND not_before <= now() AND depth > 0 ORDER BY id`)
  const asking: string[] = []
  for (const row of asked) asking.push(...(await wakeAsking(transaction, { teamId, threadId: row.thread_id })))
  const { rows } = await transaction.execute<{ thread_id: string }>(sql`
    UPDATE coherex.turn SET status = 'queued', activity = 'queued'
    WHERE team_id = ${teamId} AND status = 'sleeping' AND not_before <= now() AND depth = 0 RETURNING thread_id`)
  return [...asking, ...rows.map((row) => row.thread_id)]
}

/** Wakes the first of the agents that asked for a turn: it finds what has become of that. Answers its thread. */
export async function wakeAsking(
  transaction: Transaction,
  { teamId, threadId }: Pick<StoredTurn, 'teamId' | 'threadId'>,
): Promise<string[]> {
  const { rows } = await transaction.execute<{ thread_id: string }>(sql`
    WITH RECURSIVE asking AS (
      SELECT parent_turn_id AS id FROM coherex.thread WHERE team_id = ${teamId} AND id = ${threadId}
      UNION
      SELECT thread.parent_turn_id FROM asking
      JOIN coherex.turn ON turn.team_id = ${teamId} AND turn.id = asking.id
      JOIN coherex.thread ON thread.team_id = ${teamId} AND thread.id = turn.thread_id
      WHERE turn.depth > 0
    )
    UPDATE coherex.turn SET status = 'queued', activity = 'queued', not_before = now()
    WHERE team_id = ${teamId} AND id IN (SELECT id FROM asking) AND depth = 0 AND status IN ('waiting', 'sleeping')
    RETURNING thread_id`)
  return rows.map((row) => row.thread_id)
}

async function free(transaction: Transaction, teamId: string): Promise<string[]> {
  const { rows } = await transaction.execute<{ id: string; thread_id: string; failures: number; depth: number }>(sql`
    UPDATE coherex.turn SET
      status = 'queued', activity = 'queued', lease_until = NULL, take = take + 1,
      -- what an agent that it asked did is progress
      failures = CASE WHEN EXISTS (
        SELECT 1 FROM coherex.thread JOIN coherex.turn asked ON asked.team_id = ${teamId} AND asked.thread_id = thread.id
        WHERE thread.team_id = ${teamId} AND thread.parent_turn_id = turn.id AND asked.status = 'running' AND asked.failures = 0
      ) THEN 0 ELSE failures + 1 END,
      -- at once the first time; a turn that brings servers down is tried less and less often
      not_before = now() + make_interval(secs => CASE failures WHEN 0 THEN 0 ELSE 2 ^ failures END)
    WHERE team_id = ${teamId} AND status = 'running' AND lease_until < now()
    RETURNING id, thread_id, failures, depth`)
  for (const { id, failures, depth } of rows) {
    // those that others asked for go on, or end, with the one that asked
    if (depth === 0 && failures >= mostFailures) await endTurn(transaction, { teamId, turnId: id }, lostOften)
  }
  return rows.map((row) => row.thread_id)
}

/** Frees the turns that a process with this id left behind when it was killed: it is this one's data directory now. */
export async function recoverTurns(database: Database, serverId: string, log: Log): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    const { rowCount } = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      transaction.execute(sql`
        UPDATE coherex.turn SET lease_until = now() - interval '1 second'
        WHERE team_id = ${teamId} AND server_id = ${serverId} AND status = 'running' AND ended_at IS NULL`),
    )
    if (rowCount) log.info({ teamId, turns: rowCount }, 'turns of the server before are taken up')
  })
}
