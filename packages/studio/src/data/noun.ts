import type { QueryClient } from '@tanstack/react-query'

/** The first part of every query key. The server's change events use the same words. */
export type Noun =
  | 'me'
  | 'session'
  | 'team'
  | 'member'
  | 'invitation'
  | 'key'
  | 'secret'
  | 'quota'
  | 'audit'
  | 'run'
  | 'execution'
  | 'sandbox'
  | 'template'
  | 'workspace'
  | 'file'
  | 'version'
  | 'proposal'
  | 'variable'
  | 'thread'
  | 'agent'
  | 'model'
  | 'approval'
  | 'skill'
  | 'delivery'
  | 'health'
  | 'sign-in'

/** Marks what is shown of these nouns as stale and fetches it again; what is known to be of another workspace stays. */
export async function refetchNouns(
  queryClient: QueryClient,
  nouns: readonly string[],
  workspaceId?: string | null,
): Promise<void> {
  const isElsewhere = (id: unknown) => workspaceId && typeof id === 'string' && isWorkspaceId(id) && id !== workspaceId
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [noun, id] }) => nouns.includes(String(noun)) && !isElsewhere(id),
  })
}

const isWorkspaceId = (id: string) => id.startsWith('wsp_')
