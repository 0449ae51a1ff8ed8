import type { Page } from '@coherex/contract'

/** All items of a list, page by page, up to `most`. */
export async function collectPages<Item>(
  fetchPage: (query: { limit: number; cursor?: string }) => Promise<Page<Item>>,
  most = 10_000,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(200, most - items.length)
    const page: Page<Item> = await fetchPage({ limit, ...(cursor ? { cursor } : {}) })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor && items.length < most)
  return items.slice(0, most)
}
