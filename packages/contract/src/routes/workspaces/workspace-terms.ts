import { z } from 'zod'
import { idOf } from '../../wire/id.ts'
import { text } from '../../wire/text.ts'

// what the routes of workspaces have in common
export const tag = 'Workspaces'
export const reads = { role: 'viewer', scope: 'read' } as const
export const writes = { role: 'editor', scope: 'write' } as const
export const params = z.object({ id: idOf('workspace') })
export const filePath = text().min(1).max(4096)
export const number = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
export const globs = text().max(2000).optional().describe('Patterns with `*`, `**` and `?`, separated by commas')
export const line = text().min(1)
export const message = line.max(500).optional()
