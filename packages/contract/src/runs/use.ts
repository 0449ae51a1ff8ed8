import { z } from 'zod'

/** What model calls took. Cost is null where a model's price is unknown. */
export const use = z.object({
  inputTokens: z.number().int(),
  cachedInputTokens: z.number().int(),
  outputTokens: z.number().int(),
  costUsd: z.number().nullable(),
})
export type Use = z.infer<typeof use>
