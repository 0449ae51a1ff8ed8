import { CoherexError, type RecordedChange } from '@coherex/contract'
import type { JSONValue } from 'ai'
import type { ZodError } from 'zod'
import { canonicalJson } from '../../base/index.ts'
import { CapabilityError, type Capability } from '../../capabilities/index.ts'
import type { LiveRun, Runs } from '../../runs/index.ts'
import type { Admission } from '../turn/admission.ts'
import { describeRun } from '../turn/describe-run.ts'
import { innerCallId, type CallAnswer, type Journal, type LiveCall } from '../turn/journal.ts'
import type { FileTrace } from '../turn/read-versions.ts'
import {
  CallWaits,
  startedByCall,
  TurnBreak,
  TurnSleep,
  type AgentTool,
  type ToolContext,
  type ToolOutput,
} from '../turn/tool.ts'
import { PathChanged, Replay } from './replay.ts'

const mostCalls = 200
// a program waits for what it calls, and works little itself
const timeoutMs = 300_000
const cpuMs = 10_000
const mostAttempts = 3
// a call that waits stops the program: those that it makes in the same breath are asked for with it. It is quiet when
// several looks in a row find no call: what came while this process itself had no core is read between two of them
const quietLooks = 5
const lookMs = 20

/** What a program did through `env.TOOLS`, for people to see. */
interface ProgramCall {
  tool: string
  input: unknown
  outcome: 'done' | 'failed'
  text: string
  /** What it did to a file. */
  change?: RecordedChange
}

/** Runs a program that calls tools, or runs it again to where it was and on from there. */
export async function runProgram(
  runs: Runs,
  tools: readonly AgentTool[],
  { code, context }: { code: string; context: ToolContext },
): Promise<ToolOutput> {
  for (let attempt = 1; ; attempt++) {
    const { output, isOurs } = await runOnce(runs, tools, { code, context })
    // a sandbox that broke is nothing the program did, and what it did is in the journal
    if (!isOurs || attempt === mostAttempts) return output
  }
}

async function runOnce(
  runs: Runs,
  tools: readonly AgentTool[],
  { code, context }: { code: string; context: ToolContext },
): Promise<{ output: ToolOutput; isOurs: boolean }> {
  const { caller, signal } = context
  const session = new ProgramSession(await openJournal(context, code), context)
  const live = await runs.start(
    caller,
    { language: 'javascript', code, runtime: 'isolate', limits: { timeoutMs } },
    {
      startedBy: startedByCall(context),
      threadId: context.threadId,
      capabilities: { TOOLS: toCapability(tools, session) },
      fixed: session.fixed,
      environment: session.environment,
      cpuMs,
    },
  )
  session.attach(live)
  const stop = () => void runs.cancel(caller, live.id).catch(() => undefined)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const run = await live.ended
    await session.settle(run.error?.kind)
    const { calls } = session
    const output = { ...describeRun(run), data: JSON.parse(JSON.stringify({ calls })) as JSONValue }
    return { output, isOurs: run.error?.kind === 'internal' }
  } catch (error) {
    if (error instanceof PathChanged) throw pathChanged(error)
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function openJournal({ openProgram, callId }: ToolContext, code: string): Promise<Journal> {
  try {
    return await openProgram(callId, code)
  } catch (error) {
    if (error instanceof PathChanged) throw pathChanged(error)
    throw error
  }
}

function pathChanged({ message }: PathChanged): TurnBreak {
  return new TurnBreak({ kind: 'replay', message: `The program took another path when it was run again: ${message}` })
}

function toCapability(tools: readonly AgentTool[], session: ProgramSession): Capability {
  const methods = tools.map((tool) => [
    tool.name,
    tool.reference === 'sleep'
      ? async () => {
          throw new CapabilityError('NOT_ALLOWED', 'A program cannot sleep: return, and call sleep by itself')
        }
      : ([input]: unknown[]) => session.call(tool, input),
  ])
  return { methods: Object.fromEntries(methods) as Capability['methods'] }
}

/** One run of a program: the calls it makes, those that wait, and what stops it. */
class ProgramSession {
  readonly #journal: Journal
  readonly #replay: Replay
  readonly #context: ToolContext
  readonly #waiting = new Set<string>()
  readonly #sleepers: number[] = []
  readonly #calls = new Map<number, ProgramCall>()
  readonly #underWay = new Set<Promise<unknown>>()
  #live: LiveRun | undefined
  #made = 0
  #keeping = Promise.resolve()
  #quiet: NodeJS.Timeout | undefined
  #failure: unknown

  constructor(journal: Journal, context: ToolContext) {
    this.#journal = journal
    this.#replay = new Replay(journal)
    this.#context = context
  }

  get fixed(): Journal['fixed'] {
    return this.#journal.fixed
  }

  get environment(): Journal['environment'] {
    return this.#journal.environment
  }

  get calls(): ProgramCall[] {
    return [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => call)
  }

  attach(live: LiveRun): void {
    this.#live = live
    if (this.#failure !== undefined) live.cancel()
  }

  /** One call of the program. What has no answer now is never answered: the program is stopped. */
  async call(tool: AgentTool, input: unknown): Promise<unknown> {
    if (this.#made >= mostCalls) throw new CapabilityError('LIMIT_EXCEEDED', `A program may make ${mostCalls} calls`)
    this.#made++
    const text = toText(tool, input)
    let answer: CallAnswer | undefined
    try {
      answer = await this.#answer(tool, text)
    } catch (error) {
      this.#failure ??= error
      this.#live?.cancel()
    }
    if (!answer) return new Promise(() => undefined)
    if ('error' in answer) throw new CapabilityError(answer.error.code, answer.error.message)
    return answer.value
  }

  /** The run has ended: throws what became of it where that is not its own outcome. */
  async settle(errorKind: string | undefined): Promise<void> {
    const { missing } = this.#replay
    // calls that the program did not wait for are made all the same, and are over before it is
    if (!missing && this.#failure === undefined) await this.#replay.over
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    clearTimeout(this.#quiet)
    this.#context.signal.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure
    if (this.#waiting.size > 0) throw new CallWaits([...this.#waiting])
    if (this.#sleepers.length > 0) throw new TurnSleep(new Date(Math.min(...this.#sleepers)))
    // a sandbox that broke says nothing about the program's path
    if (missing && errorKind !== 'internal' && errorKind !== 'cancelled') {
      throw new PathChanged(`call ${missing.number + 1}, ${missing.tool} ${missing.input}, was not made again`)
    }
  }

  async #answer(tool: AgentTool, text: string): Promise<CallAnswer | undefined> {
    const { number, known } = this.#replay.next(tool.name, text)
    if (known?.answer) {
      await this.#replay.turnOf(number)
      if ('value' in known.answer) tool.recall?.(known.answer.value.data)
      this.#show({ number, tool, text: known.editedInput ?? text }, known.answer)
      return known.answer
    }
    await this.#replay.over
    const making = this.#decide({ number, tool, text })
    this.#underWay.add(making)
    clearTimeout(this.#quiet)
    try {
      return await making
    } finally {
      this.#underWay.delete(making)
      this.#stopWhenQuiet()
    }
  }

  async #decide(call: LiveCall): Promise<CallAnswer | undefined> {
    const { tool, text } = call
    const parsed = tool.input.safeParse(JSON.parse(text))
    if (!parsed.success) return this.#keep(call, invalid(parsed.error))
    const admission = await this.#journal.admit(call, parsed.data)
    switch (admission.kind) {
      case 'wait':
        return this.#wait([admission.approvalId])
      case 'deny':
        return this.#keep(call, failed('REJECTED', admission.reason))
      case 'refuse':
        return this.#keep(call, failed('FORBIDDEN', admission.reason))
      case 'sleep':
      case 'answer':
        throw new Error(`${tool.name} rests inside a program`)
      case 'run':
        return this.#make(call, parsed.data, admission)
    }
  }

  async #make(
    call: LiveCall,
    input: unknown,
    { isApproved, editedInput, caller = this.#context.caller }: Admission & { kind: 'run' },
  ): Promise<CallAnswer | undefined> {
    const { tool, number } = call
    const edited = editedInput === undefined ? undefined : tool.input.safeParse(editedInput)
    if (edited?.error) return this.#keep(call, invalid(edited.error), editedInput)
    try {
      const callId = innerCallId(this.#context.callId, number)
      // an approval of the program is none of what it calls
      const context = { ...this.#context, caller, callId, isApproved, onProgress: () => undefined }
      const { text, data } = await tool.run(edited ? edited.data : input, context)
      return await this.#keep(call, { value: { text, ...(data !== undefined && { data }) } }, editedInput)
    } catch (error) {
      if (error instanceof CallWaits) return this.#wait(error.approvalIds)
      // an agent that it asked; a program itself never does
      if (error instanceof TurnSleep) return void this.#sleepers.push(error.until.getTime())
      if (this.#context.signal.aborted || !(error instanceof CoherexError)) throw error
      return this.#keep(call, failed(error.code.toUpperCase(), error.message), editedInput)
    }
  }

  /** Writes an answer down, one after the other: the program hears them in the order they are written in. */
  async #keep(call: LiveCall, answer: CallAnswer, editedInput?: unknown): Promise<CallAnswer> {
    const keep = this.#keeping.then(() => this.#journal.answer(call, answer, editedInput))
    this.#keeping = keep.catch(() => undefined) // thrown where it is awaited
    await keep
    this.#show({ ...call, ...(editedInput !== undefined && { text: JSON.stringify(editedInput) }) }, answer)
    return answer
  }

  #show({ number, tool, text }: LiveCall, answer: CallAnswer): void {
    const isDone = 'value' in answer
    const { change } = ((isDone && answer.value.data) || {}) as FileTrace
    this.#calls.set(number, {
      tool: tool.name,
      input: JSON.parse(text) as unknown,
      outcome: isDone ? 'done' : 'failed',
      text: (isDone ? answer.value.text : answer.error.message).slice(0, 2_000),
      ...(change && { change }),
    })
  }

  #wait(approvalIds: readonly string[]): undefined {
    for (const id of approvalIds) this.#waiting.add(id)
  }

  #stopWhenQuiet(looks = quietLooks): void {
    clearTimeout(this.#quiet)
    if (this.#waiting.size + this.#sleepers.length === 0 || this.#underWay.size > 0) return
    this.#quiet = setTimeout(() => {
      if (looks > 1) return this.#stopWhenQuiet(looks - 1)
      const at = Date.now() - Date.parse(this.#live?.run.startedAt ?? new Date().toISOString())
      this.#live?.print({
        at,
        stream: 'info',
        text: `[It waits for ${this.#waiting.size > 0 ? 'a person' : 'an agent that sleeps'}, and runs again then]`,
      })
      this.#live?.cancel()
    }, lookMs)
  }
}

function invalid({ issues }: ZodError): CallAnswer {
  const problems = issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  return failed('INVALID_INPUT', problems.slice(0, 10).join('; '))
}

function failed(code: string, message: string): CallAnswer {
  return { error: { code, message } }
}

function toText(tool: AgentTool, input: unknown): string {
  try {
    return canonicalJson(JSON.parse(JSON.stringify(input ?? null)))
  } catch {
    throw new CapabilityError('INVALID_INPUT', `${tool.name}: the arguments are no JSON`)
  }
}
