import {
  executionKinds,
  executionStatuses,
  languages,
  runtimeNames,
  startKinds,
  type ExecutionKind,
  type Language,
  type RuntimeName,
  type StartKind,
} from '@coherex/contract'
import type { ExecutionQuery } from '../../data/execution.ts'
import { compactFilters, nameLike, oneOf, wordsOf, type FilterChange } from '../../shell/address-filters.ts'

export const filterStatuses = ['open', ...executionStatuses, 'dead'] as const
export type FilterStatus = (typeof filterStatuses)[number]
export const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const
export type Span = keyof typeof spans

/** The filters of the list of executions as they stand in the address. */
export interface ExecutionFilters {
  search?: string
  kind?: ExecutionKind
  status?: FilterStatus
  startedBy?: StartKind
  agent?: string
  /** The id of a person. */
  by?: string
  language?: Language
  runtime?: RuntimeName
  /** Only those of the last hour, day, week or month. */
  last?: Span
  /** The turn or run whose details are open. */
  open?: string
}

/** What of an address can be a filter; the rest is ignored. */
export function parseExecutionFilters(address: Record<string, unknown>): ExecutionFilters {
  return compactFilters<ExecutionFilters>({
    search: wordsOf(address['search']),
    kind: oneOf(executionKinds, address['kind']),
    status: oneOf(filterStatuses, address['status']),
    startedBy: oneOf(startKinds, address['startedBy']),
    agent: nameLike(/^[a-z0-9-]{1,64}$/, address['agent']),
    by: nameLike(/^per_\w+$/, address['by']),
    language: oneOf(languages, address['language']),
    runtime: oneOf(runtimeNames, address['runtime']),
    last: oneOf(Object.keys(spans) as Span[], address['last']),
    open: nameLike(/^(turn|run)_\w+$/, address['open']),
  })
}

/** The filters as the API wants them. */
export function toExecutionQuery(
  { search, by, last, open: _open, ...filters }: ExecutionFilters,
  nowMs: number,
): ExecutionQuery {
  return {
    ...filters,
    ...(search ? { search: search.slice(0, 200) } : {}),
    ...(by ? { createdBy: by } : {}),
    // in whole minutes, so that the question stays the same for a while
    ...(last ? { from: new Date(Math.floor((nowMs - spans[last]) / 60_000) * 60_000).toISOString() } : {}),
  }
}

export function hasExecutionFilters({ open: _open, ...filters }: ExecutionFilters): boolean {
  return Object.keys(filters).length > 0
}

/** The filters with some set or taken off; what was open is closed. */
export function changeExecutionFilters(
  filters: ExecutionFilters,
  change: FilterChange<ExecutionFilters>,
): ExecutionFilters {
  return compactFilters<ExecutionFilters>({ ...filters, open: undefined, ...change })
}
