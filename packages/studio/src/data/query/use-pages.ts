import type { Page } from '@coherex/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Noun } from './noun.ts'

interface PagesOptions<Item> {
  queryKey: readonly [Noun, ...unknown[]]
  fetchPage: (cursor: { cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>
  enabled?: boolean
  /** While another question is on its way, show the answer to the last one. */
  keepsLast?: boolean
}

/** A list that grows page by page. */
export function usePages<Item>({ queryKey, fetchPage, enabled = true, keepsLast = false }: PagesOptions<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    enabled,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) }
}
