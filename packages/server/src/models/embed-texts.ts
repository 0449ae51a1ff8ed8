import { CoherexError } from '@coherex/contract'
import { APICallError, embedMany, RetryError, type EmbeddingModel } from 'ai'
import { describeFailure } from './describe-failure.ts'

export interface Embedding {
  /** Provider and model. */
  model: string
  /** In the order of the texts. */
  vectors: number[][]
  tokens: number
}

export interface TextsToEmbed {
  texts: string[]
  dimensions?: number | undefined
  signal: AbortSignal
}

// calls of one request under way: others wait for the same provider
const callsAtOnce = 4

/** Vectors of texts by one model. What the provider refuses is the caller's to mend; the rest may pass. */
export async function embedTexts(
  name: string,
  model: EmbeddingModel,
  { texts, dimensions, signal }: TextsToEmbed,
): Promise<Embedding> {
  try {
    const { embeddings, usage } = await embedMany({
      ...{ model, values: texts, abortSignal: signal, maxParallelCalls: callsAtOnce },
      ...(dimensions !== undefined && { dimensions }),
    })
    // servers that do not count
    const tokens = Number.isFinite(usage.tokens) ? usage.tokens : 0
    return { model: name, vectors: embeddings, tokens }
  } catch (error) {
    signal.throwIfAborted()
    const last = RetryError.isInstance(error) ? error.lastError : error
    const why = describeFailure(last, name)
    const isTheirs = APICallError.isInstance(last) && [400, 413, 422].includes(last.statusCode ?? 0)
    throw new CoherexError(isTheirs ? 'invalid_input' : 'unavailable', `Cannot embed with ${name}: ${why}`, {
      cause: error,
    })
  }
}
