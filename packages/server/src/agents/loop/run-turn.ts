import type { TurnEnding } from '@coherex/contract'
import type { UIMessage, UIMessageChunk } from 'ai'
import type { TokenUse } from '../models/cost.ts'
import type { ResolvedModel } from '../models/models.ts'
import type { AgentTool, ToolContext } from '../tools/tool.ts'
import { Answer } from './answer.ts'
import { callModel, ModelError } from './call-model.ts'
import { executeToolCall, type ExecutedCall } from './execute-tool-call.ts'
import { prepareStep } from './prepare-step.ts'
import { toSdkTools } from './to-sdk-tools.ts'

export interface TurnWork {
  instructions: string
  /** The branch up to the question, oldest first. */
  history: readonly UIMessage[]
  /** What is written so far: empty at first, more when the turn goes on after a stop. */
  answer: UIMessage
  model: ResolvedModel
  tools: readonly AgentTool[]
  windowMessages: number
  context: Omit<ToolContext, 'callId' | 'onProgress'>
}

export interface StepRecord {
  number: number
  finishReason: string
  tokens: TokenUse
  costUsd: number | null
  startedAt: Date
  durationMs: number
}

/** Who keeps what happens. Each is awaited before the turn goes on: a crash loses no finished step. */
export interface TurnKeeper {
  /** At once, for those who watch. */
  stream(chunk: UIMessageChunk): void
  stepDone(step: StepRecord, answer: UIMessage, hasCalls: boolean): Promise<void>
  callsDone(step: number, calls: ExecutedCall[], answer: UIMessage): Promise<void>
}

/** Message → model → tools → model … until the model has no more calls, a limit is reached or someone stops it. */
export async function runTurn(work: TurnWork, keeper: TurnKeeper): Promise<{ ending: TurnEnding; answer: UIMessage }> {
  const { instructions, history, model, tools, windowMessages, context } = work
  const { budget, signal } = context
  const sdkTools = toSdkTools(tools)
  const answer = new Answer(work.answer)
  const say = (chunk: UIMessageChunk) => {
    answer.add(chunk)
    keeper.stream(chunk)
  }
  const end = async (ending: TurnEnding) => ({ ending, answer: await answer.read() })

  try {
    for (;;) {
      // also first of all: a turn that goes on may have calls that were never answered
      await answerCalls()
      const refusal = budget.refuses(Date.now())
      if (refusal) return await end(refusal)
      const finishReason = await think()
      if ((await answer.openCalls()).length > 0) continue
      // calls that could not be read were answered with the reason: the model may try again
      if (finishReason === 'tool-calls') continue
      return await end({ kind: 'answered', message: finishMessage(finishReason) })
    }
  } catch (error) {
    if (signal.aborted) return end(endingOf(signal.reason))
    if (error instanceof ModelError) return end({ kind: 'model', message: error.message })
    throw error
  }

  async function think(): Promise<string> {
    const { messages } = await prepareStep({
      messages: [...history, await answer.read()],
      tools: sdkTools,
      windowMessages,
      contextTokens: model.contextTokens,
      takesImages: model.takesImages,
    })
    const startedAt = new Date()
    const started = performance.now()
    const { finishReason, tokens } = await callModel({
      model,
      instructions,
      messages,
      tools: sdkTools,
      signal,
      onChunk: say,
      onRetry: ({ attempt, reason }) =>
        keeper.stream({ type: 'data-retry', data: { attempt, reason }, transient: true }),
    })
    const costUsd = budget.add(tokens, model.price)
    const durationMs = Math.round(performance.now() - started)
    const record = { number: budget.steps, finishReason, tokens, costUsd, startedAt, durationMs }
    await keeper.stepDone(record, await answer.read(), (await answer.openCalls()).length > 0)
    return finishReason
  }

  async function answerCalls(): Promise<void> {
    const calls = await answer.openCalls()
    if (calls.length === 0) return
    const executed = await Promise.all(calls.map((call) => executeToolCall(call, tools, context, say)))
    await keeper.callsDone(budget.steps, executed, await answer.read())
  }
}

/** Raised in a turn's signal: why it has to end now. */
export class TurnStop extends Error {
  override readonly name = 'TurnStop'
  readonly ending: TurnEnding

  constructor(ending: TurnEnding) {
    super(ending.message)
    this.ending = ending
  }
}

function endingOf(reason: unknown): TurnEnding {
  return reason instanceof TurnStop ? reason.ending : { kind: 'stopped', message: 'It was stopped' }
}

function finishMessage(reason: string): string {
  if (reason === 'length') return 'The model reached the longest answer it gives'
  if (reason === 'content-filter') return 'The provider withheld the answer'
  return 'It answered'
}
