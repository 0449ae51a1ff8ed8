import { z } from 'zod'
import { idOf } from '../../wire/id.ts'

// what the routes of sandboxes have in common
export const tag = 'Sandboxes'
export const params = z.object({ id: idOf('sandbox') })
export const look = { role: 'viewer', scope: 'read' } as const
/** Of one that has ended only its own record is left to look at. */
export const ended = ['conflict'] as const
export const use = { role: 'editor', scope: 'run' } as const
