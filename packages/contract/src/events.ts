import { z } from 'zod'

/** What the studio hears over `/events`: which noun changed, so that it fetches what it shows. */
export const changeEvent = z.object({
  type: z.string().regex(/^[a-z-]+$/),
  id: z.string().nullable(),
})
export type ChangeEvent = z.infer<typeof changeEvent>

/** Close codes of our WebSockets, in the private range. */
export const socketClose = { unauthenticated: 4401, forbidden: 4403, stopping: 4503 } as const
