import type { ApprovalStatus, Language, RunStatus, TurnStatus } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'

type Row<Columns> = Columns & Record<string, unknown>

export type HistoryRow = { at: string } & (
  | { kind: 'status'; details: { status: TurnStatus; serverId: string; isLost: boolean } }
  | { kind: 'retry'; details: { step: number; attempt: number; reason: string } }
)

export interface ApprovalRow {
  id: string
  call_id: string
  status: ApprovalStatus
  reason: string
  created_at: string
  decided_at: string | null
  decided_by_name: string | null
}

/** What is known of a call besides its end: since when it is under way, and until when it sleeps. */
export interface CallRow {
  call_id: string
  status: 'begun' | 'done' | 'failed' | 'sleeping'
  begun_at: string
  wake_at: string | null
}

export interface LinkedRunRow {
  id: string
  status: RunStatus
  language: Language
  duration_ms: number
  sandbox_id: string | null
  call_id: string | null
}

export interface LinkedTurnRow {
  id: string
  thread_id: string
  agent_name: string
  status: TurnStatus
  call_id: string | null
}

export interface TimelineRows {
  question: string
  answer: string
  parts: unknown
  sandbox_id: string | null
  history: HistoryRow[]
  approvals: ApprovalRow[]
  calls: CallRow[]
  runs: LinkedRunRow[]
  turns: LinkedTurnRow[]
  later: { id: string; retry_of: string | null }[]
}

// more than the calls of any turn begin; a program that asks without end is not drawn to its end
const mostLinked = 1_000

/** Everything that is kept about a turn besides its own row and its steps. */
export async function selectTimelineRows(
  transaction: Transaction,
  teamId: string,
  { id, threadId, runIds }: { id: string; threadId: string; runIds: string[] },
): Promise<TimelineRows> {
  const { rows: texts } = await transaction.execute<
    Row<Pick<TimelineRows, 'question' | 'answer' | 'parts' | 'sandbox_id'>>
  >(sql`
    SELECT coalesce(question.words, '') AS question, coalesce(answer.words, '') AS answer, thread.sandbox_id,
      CASE WHEN turn.ended_at IS NULL THEN answer.parts ELSE '[]'::jsonb END AS parts
    FROM coherex.turn
    JOIN coherex.thread ON thread.team_id = turn.team_id AND thread.id = turn.thread_id
    LEFT JOIN coherex.message AS question ON question.team_id = turn.team_id AND question.id = turn.question_id
    LEFT JOIN coherex.message AS answer ON answer.team_id = turn.team_id AND answer.id = turn.answer_id
    WHERE turn.team_id = ${teamId} AND turn.id = ${id}`)
  const { rows: history } = await transaction.execute<Row<HistoryRow>>(sql`
    SELECT at, kind, details FROM coherex.turn_history WHERE team_id = ${teamId} AND turn_id = ${id} ORDER BY number`)
  const { rows: approvals } = await transaction.execute<Row<ApprovalRow>>(sql`
    SELECT id, call_id, status, reason, created_at, decided_at, decided_by_name FROM coherex.approval
    WHERE team_id = ${teamId} AND turn_id = ${id} ORDER BY created_at, id`)
  const { rows: calls } = await transaction.execute<Row<CallRow>>(sql`
    SELECT call_id, status, begun_at, wake_at FROM coherex.turn_call WHERE team_id = ${teamId} AND turn_id = ${id}`)
  const { rows: runs } = await transaction.execute<Row<LinkedRunRow>>(sql`
    SELECT id, status, language, duration_ms, request->>'sandboxId' AS sandbox_id, started_by->>'callId' AS call_id
    FROM coherex.run
    WHERE team_id = ${teamId} AND (started_by->>'kind' = 'agent' AND started_by->>'id' = ${id} OR id = ANY(${sql.param(runIds)}))
    ORDER BY id LIMIT ${mostLinked}`)
  const { rows: turns } = await transaction.execute<Row<LinkedTurnRow>>(sql`
    SELECT turn.id, turn.thread_id, turn.agent_name, turn.status, turn.started_by->>'callId' AS call_id
    FROM coherex.thread JOIN coherex.turn ON turn.team_id = thread.team_id AND turn.thread_id = thread.id
    WHERE thread.team_id = ${teamId} AND thread.parent_turn_id = ${id} ORDER BY turn.id LIMIT ${mostLinked}`)
  const { rows: later } = await transaction.execute<Row<{ id: string; retry_of: string | null }>>(sql`
    SELECT id, retry_of FROM coherex.turn
    WHERE team_id = ${teamId} AND thread_id = ${threadId} AND (retry_of = ${id} OR continues = ${id})
    ORDER BY id LIMIT ${mostLinked}`)
  const { question = '', answer = '', parts = [], sandbox_id = null } = texts[0] ?? {}
  return { question, answer, parts, sandbox_id, history, approvals, calls, runs, turns, later }
}
