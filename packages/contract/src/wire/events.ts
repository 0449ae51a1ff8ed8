import { z } from 'zod'
import { text } from './text.ts'

/** What the studio hears over `/events`: which noun changed, so that it fetches what it shows. */
export const changeEvent = z.object({
  type: text().regex(/^[a-z-]+$/),
  id: z.string().nullable(),
})
export type ChangeEvent = z.infer<typeof changeEvent>

/**
 * `/events?age=` tells a page that opens what changed in the last `age` milliseconds; this event when that is not known
 * any more.
 */
export const changesUnknown = 'changes-unknown'

/**
 * Events of workspaces; their id is the workspace's. `file-changed` comes a few times a second at the most while people type,
 * `version-made` when what they typed, or an operation, became a version, `presence` when someone came, went or looks at
 * another file.
 */
export const workspaceEvents = ['workspace', 'file-changed', 'version-made', 'proposal', 'presence'] as const
export type WorkspaceEvent = (typeof workspaceEvents)[number]

/** Close codes of our WebSockets, in the private range. */
export const socketClose = { unauthenticated: 4401, forbidden: 4403, stopping: 4503 } as const
