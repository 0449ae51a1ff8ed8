import { defaultStringifySearch } from '@tanstack/react-router'

interface OldAddress {
  from: string
  to: string
  /** What becomes of the rest of the address; it stays as it is without this. */
  search?: (old: Record<string, unknown>) => Record<string, unknown>
}

/** Addresses that people kept or that name a place of the rail, and where they lead now. */
export const oldAddresses: readonly OldAddress[] = [
  { from: '/approvals', to: '/inbox' },
  {
    from: '/runs',
    to: '/executions',
    search: ({ run, mine, ...filters }) => ({
      kind: 'code',
      ...filters,
      ...(mine === true && { by: 'me' }),
      ...(run !== undefined && { open: run }),
    }),
  },
  { from: '/settings/secrets', to: '/secrets' },
  { from: '/chat', to: '/threads' },
  { from: '/library', to: '/agents' },
  { from: '/data', to: '/variables' },
  { from: '/activity', to: '/executions' },
  { from: '/compute', to: '/sandboxes' },
]

/** Where an old address leads; undefined for one that is not old. */
export function newAddress(pathname: string, search: Record<string, unknown>): string | undefined {
  const path = pathname.replace(/(?<=.)\/$/, '')
  const old = oldAddresses.find(({ from }) => from === path)
  return old && old.to + defaultStringifySearch(old.search ? old.search(search) : search)
}
