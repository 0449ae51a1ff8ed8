import { z } from 'zod'

const modelPrice = z.object({
  /** US dollars for a million tokens. */
  input: z.number(),
  output: z.number(),
  cachedInput: z.number().optional(),
})

export const providerState = z.object({
  id: z.enum(['anthropic', 'openai', 'google', 'compatible', 'ollama']),
  title: z.string(),
  /** Who set it up; null when nobody did. */
  setBy: z.enum(['operator', 'team']).nullable(),
  /** Secrets of the team, or settings of the operator, that set it up. */
  names: z.array(z.string()),
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
})
export type ModelChoices = z.infer<typeof modelChoices>
