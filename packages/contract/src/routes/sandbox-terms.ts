import { z } from 'zod'
import { idOf } from '../id.ts'

// what the routes of sandboxes have in common
export const tag = 'Sandboxes'
export const params = z.object({ id: idOf('sandbox') })
export const look = { role: 'viewer', scope: 'read' } as const
export const use = { role: 'editor', scope: 'run' } as const
