import type { Page } from '@coherex/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Noun } from './noun.ts'

interface PagesOptions<Item> {
  queryKey: readonly [Noun, ...unknown[]]
  fetchPage: (cursor: { cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>
  enabled?: boolean
}

/** A list that grows page by page. */
export function usePages<Item>({ queryKey, fetchPage, enabled = true }: PagesOptions<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) }
}
