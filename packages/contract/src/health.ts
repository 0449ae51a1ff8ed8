import { z } from 'zod'

export const health = z.object({
  status: z.enum(['ok', 'degraded', 'stopping']),
  version: z.string(),
  runtimes: z.array(z.object({ name: z.string(), available: z.boolean(), reason: z.string().optional() })),
})
export type Health = z.infer<typeof health>
