import { z } from 'zod'
import { text } from './text.ts'

/** Query of every list: how many, and where the page before ended. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: text().max(500).optional(),
})

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Forms of a list as a file: JSON is one array, JSON Lines one object a line. */
export const exportFormat = z.enum(['csv', 'json', 'jsonl'])
