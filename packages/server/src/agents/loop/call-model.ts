import { setTimeout as delay } from 'node:timers/promises'
import { backoff, type TurnChunk } from '@coherex/contract'
import { APICallError, streamText, toUIMessageStream, type ModelMessage, type ToolSet, type UIMessageChunk } from 'ai'
import { describeFailure, isCutOff, reasonOf, type TokenUse, type ResolvedModel } from '../../models/index.ts'

export interface ModelCall {
  model: ResolvedModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  signal: AbortSignal
  onChunk(chunk: TurnChunk): void
  /** A call failed and is made again. */
  onRetry(retry: { attempt: number; reason: string }): Promise<void>
  /** The first words of a call come that is made again: they are said instead of those of the one that broke off. */
  onRestart(): void
}

export interface ModelAnswer {
  finishReason: string
  tokens: TokenUse
  /** From asking to the first words; null when none came. */
  firstTokenMs: number | null
}

/** A provider that failed for good; its words are for the person. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}

const mostAttempts = 4
const waits = { firstMs: 500, longestMs: 20_000 }
// a provider that says nothing for so long has hung
const silenceMs = 90_000

/**
 * One call of a model, streamed. Failures that pass are tried again, also in the middle of an answer: nothing of it was
 * acted on yet. What came stands until words of another try come, so that the last failure leaves what there is.
 */
export async function callModel(call: ModelCall): Promise<ModelAnswer> {
  let hasWords = false
  const onBegin = () => {
    if (hasWords) call.onRestart()
    hasWords = true
  }
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(call, onBegin)
    if ('answer' in outcome) return outcome.answer
    call.signal.throwIfAborted()
    const { error } = outcome
    if (attempt >= mostAttempts || !isPassing(error)) {
      throw new ModelError(describeFailure(error, call.model.name), { cause: error })
    }
    await call.onRetry({ attempt, reason: describeFailure(error, call.model.name) })
    await delay(waitFor(error, attempt), undefined, { signal: call.signal })
  }
}

type Attempt = { answer: ModelAnswer } | { error: unknown }

async function tryOnce(
  { model, instructions, messages, tools, signal, onChunk }: ModelCall,
  onBegin: () => void,
): Promise<Attempt> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const asked = performance.now()
  let firstTokenMs: number | null = null
  // not said before there is something in it: a try that gives nothing leaves no trace
  let opening: TurnChunk | undefined
  let failure: { error: unknown } | undefined
  try {
    const result = streamText({
      model: model.model,
      instructions,
      messages,
      tools,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, silence.signal]),
      // thrown below; without a listener it would be printed
      onError: ({ error }) => void (failure ??= { error }),
    })
    const chunks = toUIMessageStream({
      stream: result.fullStream,
      tools,
      sendStart: false,
      sendFinish: false,
      // only calls that could not be read get their words from here
      onError: reasonOf,
    })
    for await (const chunk of chunks) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      if (!isOfAnswer(chunk)) continue
      if (chunk.type === 'start-step') {
        opening = chunk
        continue
      }
      if (chunk.type === 'finish-step' && opening) continue
      if (opening) {
        onBegin()
        onChunk(opening)
        opening = undefined
      }
      firstTokenMs ??= Math.round(performance.now() - asked)
      onChunk(chunk)
    }
    if (silence.signal.aborted) return { error: new Error('the model stopped answering') }
    signal.throwIfAborted()
    if (failure) return { error: failure.error }
    const finishReason = await result.finishReason
    if (finishReason === 'error') return { error: new Error('the model broke off its answer') }
    // it said nothing, which is an answer too
    if (opening) {
      onBegin()
      onChunk(opening)
      onChunk({ type: 'finish-step' })
    }
    const use = await result.usage
    return {
      answer: {
        finishReason,
        firstTokenMs,
        tokens: {
          input: use.inputTokens ?? 0,
          cachedInput: use.inputTokenDetails.cacheReadTokens ?? 0,
          output: use.outputTokens ?? 0,
        },
      },
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) return { error: new Error('the model stopped answering') }
    signal.throwIfAborted()
    return { error: failure?.error ?? error }
  } finally {
    clearTimeout(timer)
  }
}

type AnswerChunk = Exclude<
  UIMessageChunk,
  { type: 'start' | 'finish' | 'error' | 'abort' | 'steering-message' | `data-${string}` }
>

/** How the turn begins and ends we say ourselves, and nobody steers it from here. */
function isOfAnswer(chunk: UIMessageChunk): chunk is AnswerChunk {
  return !/^(?:start|finish|error|abort|steering-message|data-.*)$/.test(chunk.type)
}

function isPassing(error: unknown): boolean {
  // what is not an answer of the provider is a broken connection, a hang or an answer cut short
  return !APICallError.isInstance(error) || error.isRetryable || isCutOff(error)
}

function waitFor(error: unknown, attempt: number): number {
  const asked = APICallError.isInstance(error) ? Number(error.responseHeaders?.['retry-after']) * 1000 : NaN
  return asked > 0 ? Math.min(waits.longestMs, asked) : backoff(attempt, waits)
}
