import { z } from 'zod'
import { language } from '../runs/languages.ts'

export const health = z.object({
  status: z.enum(['ok', 'degraded', 'stopping']),
  version: z.string(),
  /** What runs here, and how to get the rest. */
  languages: z.array(
    z.object({ language, available: z.boolean(), reason: z.string().optional(), install: z.string().optional() }),
  ),
  runtimes: z.array(z.object({ name: z.string(), available: z.boolean(), reason: z.string().optional() })),
})
export type Health = z.infer<typeof health>
