import type { RouteInput, routes, RunStatus, TurnStatus } from '@coherex/contract'
import { sql, type SQL } from 'drizzle-orm'
import { earliestId } from '../../base/index.ts'
import { hasPrinted } from '../../runs/index.ts'

type ListQuery = RouteInput<typeof routes.executions.list>['query']
export type ExecutionFilters = Omit<ListQuery, 'limit' | 'cursor'>

const turnStatuses: Partial<Record<NonNullable<ExecutionFilters['status']>, TurnStatus>> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  sleeping: 'sleeping',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'stopped',
}
const endedRunStatuses: readonly string[] = ['succeeded', 'failed', 'cancelled'] satisfies RunStatus[]
const openRunStatuses: readonly string[] = ['open', 'queued', 'loading', 'running']

/** What rows of `turn` must be; undefined when no turn can fit. */
export function turnConditions(teamId: string, filters: ExecutionFilters): SQL[] | undefined {
  const { kind, status, agent, language, runtime, startedBy, search } = filters
  if (kind === 'run' || language || runtime) return undefined
  const conditions = [sql`turn.team_id = ${teamId}`, ...timeConditions('turn', filters)]
  if (status === 'open') conditions.push(sql`turn.ended_at IS NULL`)
  else if (status === 'dead') conditions.push(sql`turn.status = 'failed' AND turn.ending->>'kind' = 'interrupted'`)
  else if (status) {
    const own = turnStatuses[status]
    if (!own) return undefined
    conditions.push(sql`turn.status = ${own}`)
  }
  if (agent) conditions.push(sql`turn.agent_name = ${agent}`)
  if (filters.createdBy) conditions.push(sql`turn.person_id = ${filters.createdBy}`)
  if (startedBy) conditions.push(sql`turn.started_by->>'kind' = ${startedBy}`)
  if (search) {
    conditions.push(sql`(EXISTS (
      SELECT 1 FROM coherex.message WHERE message.team_id = ${teamId}
        AND message.id IN (turn.question_id, turn.answer_id) AND message.words ILIKE ${toPattern(search)})
      OR ${isOfThread('turn', teamId, search)})`)
  }
  return conditions
}

/** What rows of `run` must be; undefined when no run can fit. */
export function runConditions(teamId: string, filters: ExecutionFilters): SQL[] | undefined {
  const { kind, status, agent, language, runtime, startedBy, search } = filters
  if (kind === 'turn') return undefined
  const conditions = [sql`run.team_id = ${teamId}`, ...timeConditions('run', filters)]
  if (status) {
    // a row lags behind while its run is open: how far it is, the server that holds it knows
    if (openRunStatuses.includes(status)) conditions.push(sql`run.ended_at IS NULL`)
    else if (endedRunStatuses.includes(status)) conditions.push(sql`run.status = ${status}`)
    else return undefined
  }
  if (agent) conditions.push(sql`run.started_by->>'kind' = 'agent' AND run.started_by->>'name' = ${agent}`)
  if (filters.createdBy) conditions.push(sql`run.person_id = ${filters.createdBy}`)
  if (language) conditions.push(sql`run.language = ${language}`)
  if (runtime) conditions.push(sql`run.receipt->>'name' = ${runtime}`)
  // rows from before it was kept were begun by people or by their programs
  if (startedBy === 'person') conditions.push(sql`coalesce(run.started_by->>'kind', 'person') = 'person'`)
  else if (startedBy) conditions.push(sql`run.started_by->>'kind' = ${startedBy}`)
  if (search) {
    conditions.push(sql`(EXISTS (
      SELECT 1 FROM coherex.program WHERE program.team_id = ${teamId}
        AND program.hash = run.program_hash AND program.code ILIKE ${toPattern(search)})
      OR ${hasPrinted(search)}
      OR EXISTS (
        SELECT 1 FROM coherex.artifact WHERE artifact.team_id = ${teamId}
          AND artifact.id = run.artifact_id AND artifact.title ILIKE ${toPattern(search)})
      OR ${isOfThread('run', teamId, search)})`)
  }
  return conditions
}

/** By id, which begins with the time: the primary key is the index for it. */
function timeConditions(kind: 'turn' | 'run', { from, to }: ExecutionFilters): SQL[] {
  const id = sql.raw(`${kind}.id`)
  return [
    ...(from ? [sql`${id} >= ${earliestId(kind, new Date(from))}`] : []),
    ...(to ? [sql`${id} < ${earliestId(kind, new Date(to))}`] : []),
  ]
}

/** The title of its conversation says it. */
function isOfThread(kind: 'turn' | 'run', teamId: string, search: string): SQL {
  return sql`EXISTS (
    SELECT 1 FROM coherex.thread WHERE thread.team_id = ${teamId}
      AND thread.id = ${sql.raw(kind)}.thread_id AND thread.title ILIKE ${toPattern(search)})`
}

function toPattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
