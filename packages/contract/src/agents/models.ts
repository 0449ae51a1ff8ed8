import { z } from 'zod'

const modelPrice = z.object({
  /** US dollars for a million tokens. */
  input: z.number(),
  output: z.number(),
  cachedInput: z.number().optional(),
})

export const providerId = z.enum(['anthropic', 'openai', 'google', 'compatible', 'ollama'])

export const providerState = z.object({
  id: providerId,
  title: z.string(),
  /** Who set it up; null when nobody did. */
  setBy: z.enum(['operator', 'team']).nullable(),
  /** Secrets of the team, or settings of the operator, that set it up. */
  names: z.array(z.string()),
  /** Those of them that the team has set. */
  ownNames: z.array(z.string()),
  models: z.array(z.object({ name: z.string(), title: z.string(), price: modelPrice.nullable() })),
  problem: z.string().optional(),
})
export type ProviderState = z.infer<typeof providerState>

export const modelChoices = z.object({
  providers: z.array(providerState),
  /** What agents use that name no model; null when there is none at all. */
  defaultModel: z.string().nullable(),
  /** Whether someone chose the default, or it is the first that works. */
  isChosen: z.boolean(),
  /** What makes vectors of texts; null when there is none. */
  embeddingModel: z.string().nullable(),
  /** Whether the team chose it, or the operator. */
  isEmbeddingChosen: z.boolean(),
})
export type ModelChoices = z.infer<typeof modelChoices>

/** What a provider said when it was shown the key; nothing is wrong when there is no problem. */
export const modelCheck = z.object({ problem: z.string().nullable() })
