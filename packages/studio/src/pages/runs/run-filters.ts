import {
  languages,
  runStatuses,
  runtimeNames,
  type Language,
  type RunStatus,
  type RuntimeName,
} from '@coherex/contract'
import type { RunQuery } from '../../data/run/run-list.ts'

/** The filters of the list of runs as they stand in the address. */
export interface RunFilters {
  search?: string
  status?: RunStatus
  language?: Language
  runtime?: RuntimeName
  /** Only my own. */
  mine?: true
  /** The run whose details are open. */
  run?: string
}

/** What of an address can be a filter; the rest is ignored. */
export function parseRunFilters(address: Record<string, unknown>): RunFilters {
  const { search, mine, run } = address
  const status = oneOf(runStatuses, address['status'])
  const language = oneOf(languages, address['language'])
  const runtime = oneOf(runtimeNames, address['runtime'])
  return {
    // the router reads a search for 42 as a number
    ...((typeof search === 'string' || typeof search === 'number') && search !== '' ? { search: String(search) } : {}),
    ...(status ? { status } : {}),
    ...(language ? { language } : {}),
    ...(runtime ? { runtime } : {}),
    ...(mine === true ? { mine } : {}),
    ...(typeof run === 'string' && /^run_\w+$/.test(run) ? { run } : {}),
  }
}

/** The filters as the API wants them. */
export function toRunQuery({ search, status, language, runtime, mine }: RunFilters, myId: string): RunQuery {
  return {
    ...(search ? { search: search.slice(0, 200) } : {}),
    ...(status ? { status } : {}),
    ...(language ? { language } : {}),
    ...(runtime ? { runtime } : {}),
    ...(mine ? { createdBy: myId } : {}),
  }
}

export function hasRunFilters({ run: _run, ...filters }: RunFilters): boolean {
  return Object.keys(filters).length > 0
}

/** The filters with some set or, where undefined, taken off; what was open is closed. */
export function changeRunFilters(
  filters: RunFilters,
  part: { [name in keyof RunFilters]?: RunFilters[name] | undefined },
): RunFilters {
  const next = { ...filters, run: undefined, ...part }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
}

function oneOf<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given)
}
