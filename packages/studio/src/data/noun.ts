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
  | 'workspace'
  | 'thread'
  | 'agent'
  | 'model'
  | 'health'
  | 'sign-in'

/** Marks what is shown of these nouns as stale and fetches it again. */
export async function refetchNouns(queryClient: QueryClient, nouns: readonly string[]): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => nouns.includes(String(queryKey[0])) })
}
