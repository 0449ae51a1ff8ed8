import {
  CoherexError,
  type ExecutionKind,
  type Language,
  type RunStatus,
  type RuntimeName,
  type StartedBy,
  type TurnEnding,
  type TurnStatus,
} from '@coherex/contract'
import { sql, type SQL } from 'drizzle-orm'
import { decodeCursor } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { runConditions, turnConditions, type ExecutionFilters } from './execution-filters.ts'

export interface ExecutionKey {
  kind: ExecutionKind
  id: string
}

/**
 * The newest turns and runs that fit, after a cursor. Ids begin with the time they were made at, so each side comes in
 * order from its primary key, and what follows the prefix puts both sides in one order.
 */
export async function selectExecutionKeys(
  transaction: Transaction,
  teamId: string,
  { filters, limit, cursor }: { filters: ExecutionFilters; limit: number; cursor?: string | undefined },
): Promise<ExecutionKey[]> {
  const query = executionKeysQuery(teamId, { filters, limit, cursor })
  if (!query) return []
  const { rows } = await transaction.execute<ExecutionKey & Record<string, unknown>>(query)
  return rows.map(({ kind, id }) => ({ kind, id }))
}

export function executionKeysQuery(
  teamId: string,
  { filters, limit, cursor }: { filters: ExecutionFilters; limit: number; cursor?: string | undefined },
): SQL | undefined {
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const turns = turnConditions(teamId, filters)
  const runs = runConditions(teamId, filters)
  if (after) {
    turns?.push(sql`turn.id < ${`turn_${after.rest}`}`)
    // where the rest is the same, a turn comes before a run
    runs?.push(after.kind === 'turn' ? sql`run.id <= ${`run_${after.rest}`}` : sql`run.id < ${`run_${after.rest}`}`)
  }
  const sides = [...(turns ? [sideOf('turn', turns, limit)] : []), ...(runs ? [sideOf('run', runs, limit)] : [])]
  if (sides.length === 0) return undefined
  return sql`SELECT kind, id FROM (${sql.join(sides, sql` UNION ALL `)}) AS execution
    ORDER BY rest DESC, kind DESC LIMIT ${limit}`
}

function sideOf(kind: ExecutionKind, conditions: SQL[], limit: number): SQL {
  return sql`(
    SELECT ${sql.raw(`'${kind}' AS kind, id, substr(id, ${kind.length + 2}) AS rest`)} FROM coherex.${sql.raw(kind)}
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY id DESC LIMIT ${limit})`
}

function parseCursor(cursor: string): { kind: string; rest: string } {
  const [id = ''] = decodeCursor(cursor, 1)
  const match = /^(turn|run)_([0-9a-z]{20,32})$/.exec(id)
  if (!match) throw new CoherexError('invalid_input', 'The cursor is not one that this list gave')
  return { kind: match[1] ?? '', rest: match[2] ?? '' }
}

export interface TurnRow extends Record<string, unknown> {
  id: string
  status: TurnStatus
  ending: TurnEnding | null
  started_by: StartedBy
  person_id: string
  person_name: string
  agent_name: string
  thread_id: string
  model: string
  sandbox_id: string | null
  question: string | null
  answer: string | null
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  cost_usd: number | null
  created_at: string
  started_at: string | null
  ended_at: string | null
  retry_of: string | null
  continues: string | null
}

/** As much of a question, an answer or a program as a list shows. */
const excerpt = 300

export async function selectTurnRows(transaction: Transaction, teamId: string, ids: string[]): Promise<TurnRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.execute<TurnRow>(sql`
    SELECT turn.id, turn.status, turn.ending, turn.started_by, turn.person_id, turn.person_name, turn.agent_name,
      turn.thread_id, turn.model, thread.sandbox_id, left(question.words, ${excerpt}) AS question,
      left(answer.words, ${excerpt}) AS answer, turn.input_tokens, turn.cached_input_tokens, turn.output_tokens,
      turn.cost_usd, turn.created_at, turn.started_at, turn.ended_at, turn.retry_of, turn.continues
    FROM coherex.turn
    JOIN coherex.thread ON thread.team_id = turn.team_id AND thread.id = turn.thread_id
    LEFT JOIN coherex.message AS question ON question.team_id = turn.team_id AND question.id = turn.question_id
    LEFT JOIN coherex.message AS answer ON answer.team_id = turn.team_id AND answer.id = turn.answer_id
    WHERE turn.team_id = ${teamId} AND turn.id = ANY(${sql.param(ids)})`)
  return rows
}

export interface RunRow extends Record<string, unknown> {
  id: string
  status: RunStatus
  language: Language
  runtime: RuntimeName | null
  started_by: StartedBy | null
  person_id: string
  person_name: string
  code: string
  result: string | null
  printed: string | null
  error: string | null
  sandbox_id: string | null
  duration_ms: number
  created_at: string
  started_at: string | null
  ended_at: string | null
  retry_of: string | null
}

export async function selectRunRows(transaction: Transaction, teamId: string, ids: string[]): Promise<RunRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.execute<RunRow>(sql`
    SELECT run.id, run.status, run.language, run.receipt->>'name' AS runtime, run.started_by, run.person_id, run.person_name,
      left(program.code, ${excerpt}) AS code, run.error->>'message' AS error, run.request->>'sandboxId' AS sandbox_id,
      -- what is stored out of line is long: a list of fifty must not unpack fifty megabytes
      CASE WHEN pg_column_size(run.result) < 4000 THEN left(coalesce(run.result->>'text', (run.result->'value')::text), ${excerpt}) END AS result,
      CASE WHEN pg_column_size(run.output) < 4000
        THEN left(jsonb_path_query_first(run.output::jsonb, '$[*].text') #>> '{}', ${excerpt}) END AS printed,
      run.duration_ms, run.created_at, run.started_at, run.ended_at, run.retry_of
    FROM coherex.run JOIN coherex.program ON program.team_id = run.team_id AND program.hash = run.program_hash
    WHERE run.team_id = ${teamId} AND run.id = ANY(${sql.param(ids)})`)
  return rows
}

/** What the team calls its keys; those that were revoked have no name any more. */
export async function selectKeyNames(
  transaction: Transaction,
  teamId: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await transaction.execute<{ id: string; name: string }>(sql`
    SELECT id, name FROM coherex.api_key WHERE team_id = ${teamId} AND id = ANY(${sql.param(ids)})`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
