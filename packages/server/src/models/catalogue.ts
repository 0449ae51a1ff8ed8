export interface Price {
  /** US dollars for a million tokens. */
  input: number
  output: number
  /** Input that the provider had read before. */
  cachedInput?: number
}

export interface KnownModel {
  name: string
  title: string
  contextTokens: number
  takesImages: boolean
  price?: Price
}

/**
 * Models worth offering by name, with what their makers charged in November 2026. Any other name works too: without a
 * price its cost is unknown, and a definition that limits money is told so.
 */
export const catalogue: readonly KnownModel[] = [
  model('anthropic/claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, [2, 10, 0.2]),
  model('anthropic/claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, [4, 20, 0.2]),
  model('anthropic/claude-fable-5-1', 'Claude Fable 5.1', 1_000_000, [10, 50]),
  model('anthropic/claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, [2, 10, 0.2]),
  model('anthropic/claude-opus-5', 'Claude Opus 5', 1_000_000, [5, 25]),
  model('anthropic/claude-haiku-4-5', 'Claude Haiku 4.5', 200_000, [1, 5, 0.1]),
  model('openai/gpt-6-sol', 'GPT-6 Sol', 872_000, [2, 10, 0.2]),
  model('openai/gpt-6-luna', 'GPT-6 Luna', 1_000_000, [0.1, 0.5]),
  model('openai/gpt-5', 'GPT-5', 400_000, [1.25, 10, 0.125]),
  model('openai/gpt-5-mini', 'GPT-5 mini', 400_000, [0.25, 2, 0.025]),
  model('google/gemini-2.5-pro', 'Gemini 2.5 Pro', 1_000_000, [1.25, 10]),
  model('google/gemini-2.5-flash', 'Gemini 2.5 Flash', 1_000_000, [0.3, 2.5]),
]

/** What makers charge for vectors of texts; there is no output to pay for. */
const embeddingPrices: Readonly<Record<string, number>> = {
  'openai/text-embedding-3-small': 0.02,
  'openai/text-embedding-3-large': 0.13,
  'openai/text-embedding-ada-002': 0.1,
  'google/gemini-embedding-001': 0.15,
}

export function findEmbeddingPrice(name: string): Price | undefined {
  const input = embeddingPrices[name]
  return input === undefined ? undefined : { input, output: 0 }
}

export function findKnownModel(name: string): KnownModel | undefined {
  return catalogue.find((one) => one.name === name)
}

function model(name: string, title: string, contextTokens: number, price: [number, number, number?]): KnownModel {
  const [input, output, cachedInput] = price
  const charged = { input, output, ...(cachedInput !== undefined && { cachedInput }) }
  return { name, title, contextTokens, takesImages: true, price: charged }
}
