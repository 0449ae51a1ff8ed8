import type { ExecutionStatus, ExecutionSummary, Page, Run, StartedBy } from '@coherex/contract'
import { takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { ExecutionFilters } from './execution-filters.ts'
import { isDead, toExecutionStatus } from './execution-status.ts'
import {
  selectExecutionKeys,
  selectKeyNames,
  selectRunRows,
  selectTurnRows,
  type ExecutionKey,
  type RunRow,
  type TurnRow,
} from './execution-store.ts'

export interface ExecutionDeps {
  database: Database
  /** How far a run is that was found in the store and this process holds. */
  liveRun(found: { id: string }): Run | undefined
}

/** All turns and runs of a team, newest first. */
export async function listExecutions(
  deps: ExecutionDeps,
  teamId: string,
  { limit, cursor, ...filters }: ExecutionFilters & { limit: number; cursor?: string | undefined },
): Promise<Page<ExecutionSummary>> {
  const keys = await deps.database.transaction({ team: teamId }, (transaction) =>
    selectExecutionKeys(transaction, teamId, { filters, limit: limit + 1, cursor }),
  )
  const page = takePage(keys, limit, (last) => [last.id])
  const items = await readExecutions(deps, teamId, page.items)
  return {
    ...page,
    // only the server that holds an open run knows whether it waits or runs
    items:
      filters.status && isOpenStatus(filters.status) ? items.filter((one) => one.status === filters.status) : items,
  }
}

/** These turns and runs, in this order; what is not the team's is left out. */
export async function readExecutions(
  { database, liveRun }: ExecutionDeps,
  teamId: string,
  keys: readonly ExecutionKey[],
): Promise<ExecutionSummary[]> {
  const idsOf = (kind: ExecutionKey['kind']) => keys.filter((key) => key.kind === kind).map(({ id }) => id)
  const { turns, runs, keyNames } = await database.transaction({ team: teamId }, async (transaction) => {
    const turnRows = await selectTurnRows(transaction, teamId, idsOf('turn'))
    const runRows = await selectRunRows(transaction, teamId, idsOf('run'))
    const keyIds = [...turnRows, ...runRows].flatMap(({ started_by: by }) => (by?.kind === 'key' && by.id) || [])
    return { turns: turnRows, runs: runRows, keyNames: await selectKeyNames(transaction, teamId, [...new Set(keyIds)]) }
  })
  const byId = new Map<string, ExecutionSummary>()
  for (const row of turns) byId.set(row.id, turnToSummary(row, keyNames))
  for (const row of runs) byId.set(row.id, runToSummary(row, keyNames, liveRun(row)))
  return keys.flatMap(({ id }) => byId.get(id) ?? [])
}

function turnToSummary(row: TurnRow, keyNames: Map<string, string>): ExecutionSummary {
  const { ending } = row
  return {
    kind: 'turn',
    id: row.id,
    status: toExecutionStatus(row.status),
    isDead: isDead(ending),
    startedBy: named(row.started_by, keyNames),
    createdBy: { id: row.person_id, name: row.person_name },
    input: row.question ?? '',
    output: row.answer || null,
    reason: ending && ending.kind !== 'answered' ? ending.message : null,
    agent: row.agent_name,
    threadId: row.thread_id,
    model: row.model,
    language: null,
    runtime: null,
    sandboxId: row.sandbox_id,
    use: {
      inputTokens: row.input_tokens,
      cachedInputTokens: row.cached_input_tokens,
      outputTokens: row.output_tokens,
      costUsd: row.cost_usd,
    },
    ...timesOf(row),
    durationMs: row.started_at && row.ended_at ? Date.parse(row.ended_at) - Date.parse(row.started_at) : null,
    retryOf: row.retry_of,
    continues: row.continues,
  }
}

function runToSummary(row: RunRow, keyNames: Map<string, string>, live: Run | undefined): ExecutionSummary {
  return {
    kind: 'run',
    id: row.id,
    status: live?.status ?? row.status,
    isDead: false,
    startedBy: named(row.started_by ?? { kind: 'person' }, keyNames),
    createdBy: { id: row.person_id, name: row.person_name },
    input: row.code,
    output: row.result ?? row.printed,
    reason: row.error,
    agent: (row.started_by?.kind === 'agent' && row.started_by.name) || null,
    threadId: null,
    model: null,
    language: row.language,
    runtime: live?.runtime?.name ?? row.runtime,
    sandboxId: row.sandbox_id,
    use: null,
    ...timesOf({ ...row, started_at: live?.startedAt ?? row.started_at }),
    durationMs: row.ended_at ? row.duration_ms : null,
    retryOf: row.retry_of,
    continues: null,
  }
}

function timesOf(row: { created_at: string; started_at: string | null; ended_at: string | null }) {
  const iso = (at: string | null) => at && new Date(at).toISOString()
  return {
    createdAt: new Date(row.created_at).toISOString(),
    startedAt: iso(row.started_at),
    endedAt: iso(row.ended_at),
  }
}

function named(startedBy: StartedBy, keyNames: Map<string, string>): StartedBy {
  const name = startedBy.name ?? (startedBy.id && keyNames.get(startedBy.id))
  return name ? { ...startedBy, name } : startedBy
}

function isOpenStatus(status: NonNullable<ExecutionFilters['status']>): status is ExecutionStatus {
  return status === 'queued' || status === 'loading' || status === 'running'
}
