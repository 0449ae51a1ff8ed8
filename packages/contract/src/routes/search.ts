import { z } from 'zod'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

/** Kinds of things a search finds, in the order in which equals are shown. */
export const foundKinds = [
  'workspace',
  'thread',
  'agent',
  'tool',
  'skill',
  'sandbox',
  'person',
  'file',
  'message',
  'run',
] as const
export type FoundKind = (typeof foundKinds)[number]

const foundItem = z.object({
  kind: z.enum(foundKinds),
  id: z.string(),
  title: z.string(),
  where: z.string().nullable().describe('What it is part of or what it is for, in a few words'),
  snippet: z.string().optional().describe('The line that has the words, where the name does not'),
  url: z.string().describe('Its page in the studio'),
})
export type FoundItem = z.infer<typeof foundItem>

export const search = {
  find: route({
    method: 'get',
    path: '/api/v1/search',
    summary: 'Search everything the caller may see: names first, then files, messages and runs',
    tag: 'Search',
    access: { role: 'viewer', scope: 'read' },
    query: z.object({
      q: text().trim().min(1).max(200).describe('Words; the last may be unfinished'),
      kinds: text()
        .max(200)
        .optional()
        .describe(`Some of ${foundKinds.join(', ')}, with commas between`),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: z.object({ items: z.array(foundItem) }),
  }),
}
