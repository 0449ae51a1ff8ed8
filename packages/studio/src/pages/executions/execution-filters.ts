import {
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

/** What the list shows, as the address says it. */
const shownKinds = ['turns', 'code', 'deliveries'] as const
export type ShownKind = (typeof shownKinds)[number]
const kindsInApi: Record<Exclude<ShownKind, 'deliveries'>, ExecutionKind> = { turns: 'turn', code: 'run' }
const oldKinds: Record<string, ShownKind> = { turn: 'turns', run: 'code' }

/** Which kind an address asks for; undefined is turns and code. */
export function shownKind(given: unknown): ShownKind | undefined {
  return oneOf(shownKinds, given) ?? oldKinds[String(given)]
}

export const filterStatuses = ['open', ...executionStatuses, 'dead'] as const
export type FilterStatus = (typeof filterStatuses)[number]
export const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const
export type Span = keyof typeof spans

/** The filters of the list of executions as they stand in the address. */
export interface ExecutionFilters {
  search?: string
  kind?: Exclude<ShownKind, 'deliveries'>
  status?: FilterStatus
  startedBy?: StartKind
  agent?: string
  /** The id of a person, or `me`. */
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
  const kind = shownKind(address['kind'])
  return compactFilters<ExecutionFilters>({
    search: wordsOf(address['search']),
    kind: kind === 'deliveries' ? undefined : kind,
    status: oneOf(filterStatuses, address['status']),
    startedBy: oneOf(startKinds, address['startedBy']),
    agent: nameLike(/^[a-z0-9-]{1,64}$/, address['agent']),
    by: nameLike(/^(me|per_\w+)$/, address['by']),
    language: oneOf(languages, address['language']),
    runtime: oneOf(runtimeNames, address['runtime']),
    last: oneOf(Object.keys(spans) as Span[], address['last']),
    open: nameLike(/^(turn|run)_\w+$/, address['open']),
  })
}

/** The filters as the API wants them. */
export function toExecutionQuery(
  { kind, search, by, last, open: _open, ...filters }: ExecutionFilters,
  { nowMs, myId }: { nowMs: number; myId: string },
): ExecutionQuery {
  return {
    ...filters,
    ...(kind ? { kind: kindsInApi[kind] } : {}),
    ...(search ? { search: search.slice(0, 200) } : {}),
    ...(by ? { createdBy: by === 'me' ? myId : by } : {}),
    // in whole minutes, so that the question stays the same for a while
    ...(last ? { from: new Date(Math.floor((nowMs - spans[last]) / 60_000) * 60_000).toISOString() } : {}),
  }
}

/** Which kind is shown is no filter: its chip is always there. */
export function hasExecutionFilters({ open: _open, kind: _kind, ...filters }: ExecutionFilters): boolean {
  return Object.keys(filters).length > 0
}

/** The filters with some set or taken off; what was open is closed. */
export function changeExecutionFilters(
  filters: ExecutionFilters,
  change: FilterChange<ExecutionFilters>,
): ExecutionFilters {
  return compactFilters<ExecutionFilters>({ ...filters, open: undefined, ...change })
}
