import { z } from 'zod'
import { idOf } from '../id.ts'

// what the routes of workspaces have in common
export const tag = 'Workspaces'
export const reads = { role: 'viewer', scope: 'read' } as const
export const writes = { role: 'editor', scope: 'write' } as const
export const params = z.object({ id: idOf('workspace') })
export const filePath = z.string().min(1).max(4096)
export const number = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
export const globs = z.string().max(2000).optional().describe('Patterns with `*`, `**` and `?`, separated by commas')
// PostgreSQL keeps no NUL
export const line = z.string().regex(/^[^\u0000]+$/, 'must not be empty or contain NUL')
export const message = line.max(500).optional()
