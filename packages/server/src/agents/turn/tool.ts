import type { ApprovalMoment, RunError, Scope, StartedBy, TurnEnding } from '@coherex/contract'
import type { JSONValue } from 'ai'
import type { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import type { Budget } from './budget.ts'
import type { Journal } from './journal.ts'

/** What led to a turn, where another agent asked for it. */
export interface AskingChain {
  /** The agents that asked, outermost first. */
  agents: readonly StoredAgent[]
  /** Where people follow what the first of them does; null where it is this one. */
  rootThreadId: string | null
}

/** For whom and where a tool works. An agent's rights are those of the person, cut down to its definition. */
export interface ToolContext {
  caller: TeamCaller
  agent: StoredAgent
  threadId: string
  turnId: string
  /** Of the call, as the model named it. */
  callId: string
  workspaceId: string | null
  depth: number
  budget: Budget
  signal: AbortSignal
  chain: AskingChain
  /** Locks the turn for a transaction; throws when another server has it. */
  hold(transaction: Transaction): Promise<void>
  /** Writes down what was taken of the budget, here and in those that asked. */
  keepBudget(): Promise<void>
  /** A person has allowed this very call. */
  isApproved: boolean
  /** What the program of a call did before, and does now. */
  openProgram(callId: string, code: string): Promise<Journal>
  /** What happens while the tool works, for those who watch. */
  onProgress(progress: ToolOutput): void
}

/** What a call begins, a run or the turn of another agent, is begun by the agent. */
export function startedByCall({ agent, turnId, callId }: ToolContext): StartedBy {
  return { kind: 'agent', id: turnId, name: agent.name, callId }
}

/** What a call gave. `text` is what the model reads; the rest is for people. */
export interface ToolOutput {
  text: string
  /** Rich output, as a run prints it. */
  displays?: Record<string, unknown>[]
  runId?: string
  /** What went wrong in the code that it ran, which is an answer like any other to the model. */
  error?: Pick<RunError, 'message' | 'line' | 'summary' | 'fixes'>
  /** Whatever the studio shows in its own way, such as a diff. */
  data?: JSONValue
}

/** Something an agent can do. What goes wrong is thrown as a CoherexError and told to the model. */
export interface AgentTool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string
  /** One line that a model understands. */
  readonly description: string
  /** What the agent is told about it beside its instructions. */
  readonly guidance?: string
  readonly input: Schema
  /** What a key needs to do the same directly. */
  readonly scope: Scope
  /** Changes nothing outside of the conversation: may be done again after a crash. */
  readonly isReadOnly: boolean
  /** Knows where it was: called again after a crash or an answer it goes on, and nothing it did is done twice. */
  readonly isResumable?: boolean
  /** What a definition calls it, where rules of approval can name it. */
  readonly reference?: string
  /** What a definition calls it together with others: a rule for all of them counts where it has none of its own. */
  readonly group?: string
  /** The rule of a definition that says nothing of it. */
  readonly asksUnlessSaid?: ApprovalMoment
  /** Reaches addresses of its own, whatever the network of the definition is. */
  readonly reachesOut?: boolean
  /** For a tool with an allow-list: whether a call goes beyond it. */
  isOutside?(input: z.output<Schema>): boolean
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolOutput>
  /** Hears what an earlier call gave as `data`, where a program is run again and the call is not. */
  recall?(data: unknown): void
}

/**
 * Thrown by a tool that wants the turn to rest until then: the call stays open, and is answered on waking. One that knows
 * where it was is called again instead.
 */
export class TurnSleep extends Error {
  override readonly name = 'TurnSleep'
  readonly until: Date

  constructor(until: Date) {
    super(`sleeps until ${until.toISOString()}`)
    this.until = until
  }
}

/** Thrown by a tool behind which calls wait for a person: its own call stays open, and is made again after the answer. */
export class CallWaits extends Error {
  override readonly name = 'CallWaits'
  readonly approvalIds: readonly string[]

  constructor(approvalIds: readonly string[]) {
    super(`waits for ${approvalIds.join(', ')}`)
    this.approvalIds = approvalIds
  }
}

/** Thrown by a tool after which the turn cannot go on. */
export class TurnBreak extends Error {
  override readonly name = 'TurnBreak'
  readonly ending: TurnEnding

  constructor(ending: TurnEnding) {
    super(ending.message)
    this.ending = ending
  }
}

export function defineTool<Schema extends z.ZodType>(tool: AgentTool<Schema>): AgentTool {
  return tool as unknown as AgentTool
}
