import type { TurnChunk, TurnEnding } from '@coherex/contract'
import type { UIMessage } from 'ai'
import type { ResolvedModel } from '../../models/index.ts'
import type { Admission, CallToAdmit } from '../turn/admission.ts'
import { Answer, findOpenCalls, type OpenCall } from '../turn/answer.ts'
import type { ExecutedCall, RestingCall } from '../turn/call.ts'
import { TurnLeft, TurnStop, type TurnPause } from '../turn/ending.ts'
import type { SaidPart } from '../turn/said.ts'
import type { StepRecord, StepRetry } from '../turn/step.ts'
import type { AgentTool } from '../turn/tool.ts'
import { callModel, ModelError } from './call-model.ts'
import { describeUnreadable } from './describe-call.ts'
import { executeToolCall, type CallContext } from './execute-tool-call.ts'
import { prepareStep } from './prepare-step.ts'
import { toSdkTools } from './to-sdk-tools.ts'

export interface TurnWork {
  instructions: string
  /** The branch up to the question, oldest first. */
  history: readonly UIMessage[]
  /** What is written so far: empty at first, more when the turn goes on after a stop. */
  answer: UIMessage
  /** The number of the last step, to whose calls those that are open belong. */
  lastStep: number
  model: ResolvedModel
  tools: readonly AgentTool[]
  windowMessages: number
  context: CallContext
  /** The server stops: no further step is begun, and the turn is left to another one. */
  leaving?: AbortSignal
}

/** Who keeps what happens. Each is awaited before the turn goes on: a crash loses no finished step. */
export interface TurnKeeper {
  /** At once, for those who watch. */
  stream(chunk: TurnChunk): void
  stepDone(step: StepRecord, answer: UIMessage, calls: readonly OpenCall[]): Promise<void>
  retried(retry: StepRetry): Promise<void>
  /** Throws when the person it works for has lost the right to; before each step. */
  checkRights(): Promise<unknown>
  /** What its person said since the last step: part of the answer already. */
  takeSaid(): Promise<SaidPart[]>
  /** Whether a call may be made; what may change something is written down as begun. */
  admit(call: CallToAdmit): Promise<Admission>
  callDone(step: number, call: ExecutedCall | RestingCall, answer: UIMessage): Promise<void>
}

export interface TurnResult {
  ending: TurnEnding | TurnPause
  answer: UIMessage
}

/** Message → model → tools → model … until the model has no more calls, a limit is reached or someone stops it. */
export async function runTurn(work: TurnWork, keeper: TurnKeeper): Promise<TurnResult> {
  const { instructions, history, model, tools, windowMessages, context, leaving } = work
  const { budget, signal } = context
  const sdkTools = toSdkTools(tools)
  const answer = new Answer(work.answer)
  const say = (chunk: TurnChunk) => {
    answer.add(chunk)
    keeper.stream(chunk)
  }
  const end = async (ending: TurnResult['ending']) => ({ ending, answer: await answer.read() })

  let kept = work.answer
  // its own: the steps of an agent that it asks are taken from its budget too
  let step = work.lastStep

  try {
    for (;;) {
      // also first of all: a turn that goes on may have calls that were never answered
      const pause = await answerCalls()
      if (pause) return await end(pause)
      if (leaving?.aborted) return await end(serverLeaves)
      const refusal = budget.refuses(Date.now())
      if (refusal) return await end(refusal)
      await keeper.checkRights()
      for (const said of await keeper.takeSaid()) say(said)
      kept = await answer.read()
      const finishReason = await think()
      if ((await answer.openCalls()).length > 0) continue
      // calls that could not be read were answered with the reason: the model may try again
      if (finishReason === 'tool-calls') continue
      return await end({ kind: 'answered', message: finishMessage(finishReason, await answer.read()) })
    }
  } catch (error) {
    // what the model was saying is said again elsewhere, and calls that did not end are asked about there
    const isLeft = signal.aborted ? signal.reason instanceof TurnLeft : leaving?.aborted
    if (isLeft) return { ending: serverLeaves, answer: kept }
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
    const { finishReason, tokens, firstTokenMs } = await callModel({
      model,
      instructions,
      messages,
      tools: sdkTools,
      signal: leaving ? AbortSignal.any([signal, leaving]) : signal,
      onChunk(chunk) {
        if (chunk.type === 'tool-input-error') say({ ...chunk, errorText: describeUnreadable(chunk, tools) })
        // says the same once more, in the words of the library: nothing else is executed before the model has ended
        else if (chunk.type !== 'tool-output-error') say(chunk)
      },
      async onRetry({ attempt, reason }) {
        keeper.stream({ type: 'data-retry', data: { attempt, reason }, transient: true })
        await keeper.retried({ step: step + 1, attempt, reason })
      },
      onRestart() {
        answer.restart()
        keeper.stream({ type: 'data-restart', data: { steps: step }, transient: true })
      },
    })
    const costUsd = budget.add(tokens, model.price)
    const durationMs = Math.round(performance.now() - started)
    step += 1
    const record = { number: step, finishReason, tokens, costUsd, startedAt, durationMs, firstTokenMs }
    kept = await answer.read()
    await keeper.stepDone(record, kept, findOpenCalls(kept.parts))
    return finishReason
  }

  async function answerCalls(): Promise<TurnPause | TurnEnding | undefined> {
    const calls = await answer.openCalls()
    if (calls.length === 0) return undefined
    let keeping = Promise.resolve()
    const execute = async (call: OpenCall) => {
      const handlers = { admit: (one: CallToAdmit) => keeper.admit(one), onChunk: say }
      const { ending, ...done } = { ending: undefined, ...(await executeToolCall(call, tools, context, handlers)) }
      // at once and in order: a call that is done is never repeated, whatever becomes of those beside it
      const keep = keeping.then(async () => keeper.callDone(step, done, (kept = await answer.read())))
      keeping = keep.catch(() => undefined) // thrown where it is awaited
      await keep
      return { done, ending }
    }
    const outcomes = await Promise.allSettled(calls.map(execute))
    const failed = outcomes.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    const answered = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    return answered.find(({ ending }) => ending)?.ending ?? pauseOf(answered.map(({ done }) => done))
  }
}

const serverLeaves: TurnPause = { kind: 'leaving', message: 'Another server goes on with it' }

function pauseOf(calls: (ExecutedCall | RestingCall)[]): TurnPause | undefined {
  const approvalIds = calls.flatMap((call) => (call.status === 'waiting' ? call.approvalIds : []))
  if (approvalIds.length > 0) return { kind: 'waiting', message: 'It waits for a person', approvalIds }
  const [first] = calls.flatMap((call) => (call.status === 'sleeping' ? call.until : [])).sort((a, b) => +a - +b)
  return first && { kind: 'sleeping', message: `It sleeps until ${first.toISOString()}`, until: first }
}

function endingOf(reason: unknown): TurnEnding {
  return reason instanceof TurnStop ? reason.ending : { kind: 'stopped', message: 'It was stopped' }
}

function finishMessage(reason: string, { parts }: UIMessage): string {
  if (reason === 'length') return 'The model reached the longest answer it gives'
  if (reason === 'content-filter') return 'The provider withheld the answer'
  return parts.some((part) => part.type !== 'step-start') ? 'It answered' : 'The model said nothing'
}
