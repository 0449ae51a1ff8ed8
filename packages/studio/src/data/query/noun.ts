import type { Query, QueryClient } from '@tanstack/react-query'

/** The first part of every query key. The server's change events use the same words. */
const nouns = [
  'me',
  'session',
  'team',
  'member',
  'invitation',
  'key',
  'secret',
  'quota',
  'audit',
  'run',
  'execution',
  'sandbox',
  'cell',
  'template',
  'workspace',
  'file',
  'version',
  'proposal',
  'variable',
  'package',
  'thread',
  'artifact',
  'share',
  'agent',
  'model',
  'approval',
  'inbox',
  'skill',
  'tool',
  'mcp-server',
  'delivery',
  'health',
  'sign-in',
] as const

export type Noun = (typeof nouns)[number]

/** Marks what is shown of these nouns as stale and fetches it again; what is known to be of another workspace or thread stays. */
export async function refetchNouns(
  queryClient: QueryClient,
  changed: readonly string[],
  changedId?: string | null,
): Promise<void> {
  const place = places.find((prefix) => changedId?.startsWith(prefix))
  const isElsewhere = (part: unknown) =>
    place !== undefined && typeof part === 'string' && part.startsWith(place) && part !== changedId
  await refetch(queryClient, ({ queryKey: [noun, ...ids] }) => changed.includes(String(noun)) && !ids.some(isElsewhere))
}

/** The same for all that is shown: what changed is unknown. */
export async function refetchAll(queryClient: QueryClient): Promise<void> {
  await refetch(queryClient, () => true)
}

async function refetch(queryClient: QueryClient, isMeant: (query: Query) => boolean): Promise<void> {
  const all = queryClient.getQueryCache().findAll({ predicate: isMeant })
  const unanswered = all.filter(({ state }) => state.status === 'pending')
  await queryClient.invalidateQueries({ predicate: isMeant })
  // a first answer is waited for and not asked for anew, though it may be from before the change
  const isOwed = (query: Query) =>
    unanswered.includes(query) && query.state.status === 'success' && query.state.fetchStatus === 'idle'
  if (unanswered.length > 0) await queryClient.invalidateQueries({ predicate: isOwed })
}

// beginnings of the ids that events and query keys name
const places = ['sbx_', 'wsp_', 'thr_']
