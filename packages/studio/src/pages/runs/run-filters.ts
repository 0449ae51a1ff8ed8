import {
  languages,
  runStatuses,
  runtimeNames,
  type Language,
  type RunStatus,
  type RuntimeName,
} from '@coherex/contract'
import type { RunQuery } from '../../data/run/run-list.ts'
import { compactFilters, nameLike, oneOf, wordsOf, type FilterChange } from '../../shell/address-filters.ts'

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
  return compactFilters<RunFilters>({
    search: wordsOf(address['search']),
    status: oneOf(runStatuses, address['status']),
    language: oneOf(languages, address['language']),
    runtime: oneOf(runtimeNames, address['runtime']),
    mine: address['mine'] === true ? true : undefined,
    run: nameLike(/^run_\w+$/, address['run']),
  })
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

/** The filters with some set or taken off; what was open is closed. */
export function changeRunFilters(filters: RunFilters, change: FilterChange<RunFilters>): RunFilters {
  return compactFilters<RunFilters>({ ...filters, run: undefined, ...change })
}
