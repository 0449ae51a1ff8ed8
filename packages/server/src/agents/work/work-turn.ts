import { CoherexError, type ApprovalsByTool } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { recordAudit, tellOfThread } from '../../access/index.ts'
import type { Database, EventBus, Log } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import { admitCall } from '../approvals/admit-call.ts'
import { findPlainCalls } from '../approvals/find-plain-calls.ts'
import { openJournal } from '../code-mode/program-store.ts'
import { buildInstructions } from '../loop/instructions.ts'
import { runTurn, type TurnKeeper, type TurnResult } from '../loop/run-turn.ts'
import { updateMessage } from '../threads/message-store.ts'
import { createThreadNews, tellThread } from '../threads/thread-news.ts'
import type { StoredThread } from '../threads/thread-store.ts'
import { countBefore, findOpenCalls } from '../turn/answer.ts'
import { TurnStop } from '../turn/ending.ts'
import { findLastSaid } from '../turn/said.ts'
import type { AgentTool, AskingChain } from '../turn/tool.ts'
import { closingChunks } from '../turns/closing-chunks.ts'
import { holdTurn, TurnLost } from '../turns/hold-turn.ts'
import { keepCall, keepStep, takeSaid } from '../turns/keep-progress.ts'
import { restTurn } from '../turns/queue-store.ts'
import { admitWithinRights, findRights, type LookUpRights } from '../turns/rights.ts'
import { noteRetry } from '../turns/turn-history.ts'
import { endTurn, keepBudget, type StoredTurn } from '../turns/turn-store.ts'
import type { TurnStream } from '../turns/turn-stream.ts'
import type { BegunTurn } from './begin-turn.ts'
import { nameThread, titleThread, wantsTitle } from './title-thread.ts'

export interface WorkDeps {
  database: Database
  events: EventBus
  log: Log
  /** The tools of a definition, ready to use. */
  toolsFor(agent: StoredAgent, thread: StoredThread, history: readonly UIMessage[]): Promise<AgentTool[]>
}

const windowMessages = 50
const nobodyAsked: AskingChain = { agents: [], rootThreadId: null }

export interface TurnWorkplace {
  stream: TurnStream
  stop: AbortController
  said: { isDue: boolean }
  /** The server stops: the turn is left to another one. */
  leaving: AbortSignal
}

/** How work on a turn ended here: for good, or until its time has come; `lost` when another server has it. */
export type WorkEnding = TurnResult['ending'] | { kind: 'lost'; message: string }

/** Works on a turn until it ends or rests, keeping every step. Never throws: what goes wrong is the turn's ending. */
export async function workTurn(
  deps: WorkDeps,
  begun: BegunTurn,
  { stream, stop, said, leaving }: TurnWorkplace,
): Promise<WorkEnding> {
  const { log } = deps
  const { caller, thread, agent, turn, history, written, lastStep, budget, model, parent } = begun
  const { teamId, id: turnId, threadId, answerId } = turn
  const timer = setTimeout(
    () => stop.abort(new TurnStop({ kind: 'time', message: 'It took all of its time' })),
    Math.max(0, budget.limits.deadline - Date.now()),
  )
  const news = createThreadNews(deps, { teamId, threadId })
  const before = countBefore(written, lastStep)
  stream.add({ type: 'start', messageId: answerId, messageMetadata: { turnId, before } })
  // what an earlier taker said of a step that it did not end is said anew
  if (stream.first > 0) stream.add({ type: 'data-restart', data: { steps: lastStep }, transient: true })
  // the one before may have been lost before it told anyone
  for (const part of findLastSaid(written)) if (stream.first > 0) stream.add(part)
  // beside the work: nothing waits for it
  const named = wantsTitle(begun) && thread.title === '' ? nameThread(deps, begun) : undefined
  const lookUp: LookUpRights = async () => {
    try {
      return await findRights(deps.database, turn)
    } catch (error) {
      // calls beside it end too
      if (error instanceof TurnStop) stop.abort(error)
      throw error
    }
  }
  let ending: WorkEnding = { kind: 'internal', message: 'Something went wrong on the server' }
  try {
    const tools = await deps.toolsFor(agent, thread, history).catch((error: unknown) => {
      if (!(error instanceof CoherexError) || error.code === 'unavailable') throw error
      // what its definition names is gone since, or private to somebody else
      const message = `It could not go on: ${error.message}`
      throw new TurnStop({ kind: 'interrupted', message })
    })
    const keeper = keepIn(deps, begun, { stream, tools, lookUp, said, onChange: news.tell })
    const result = await runTurn(
      {
        instructions: buildInstructions(agent.definition, {
          hasWorkspace: thread.workspaceId !== null,
          now: new Date(),
          tools,
        }),
        history,
        answer: { id: answerId, role: 'assistant', parts: written },
        lastStep,
        model,
        tools,
        windowMessages: agent.definition.context?.messages ?? windowMessages,
        leaving,
        context: {
          caller,
          agent,
          threadId,
          turnId,
          workspaceId: thread.workspaceId,
          depth: turn.depth,
          budget,
          signal: stop.signal,
          chain: parent?.chain ?? nobodyAsked,
          hold: (transaction) => holdTurn(transaction, turn),
          async keepBudget() {
            await parent?.keepBudget()
            await keepBudget(deps.database, turn, budget.toStored(Date.now()))
          },
          openProgram: (callId, code) => {
            const onAsk = (id: string) => void tellApproval(deps, turn, id)
            const admitting = { database: deps.database, turn, agent, chain: parent?.chain ?? nobodyAsked }
            return openJournal(admitting, { callId, code, workspaceId: thread.workspaceId, lookUp, onAsk })
          },
        },
      },
      keeper,
    )
    ending = result.ending
    await keeper.answerDone(result.answer)
  } catch (error) {
    if (error instanceof TurnLost) ending = { kind: 'lost', message: error.message }
    else if (error instanceof TurnStop) ending = error.ending
    else log.error({ error, turnId }, 'a turn failed')
  }
  clearTimeout(timer)
  news.close()
  await named
  await finish(deps, begun, ending, stream)
  await tellThread(deps, teamId, threadId).catch((error: unknown) =>
    log.warn({ error }, 'nobody was told of a turn’s end'),
  )
  if (ending.kind === 'answered' && wantsTitle(begun)) await titleThread(deps, begun)
  return ending
}

async function tellApproval(deps: WorkDeps, { teamId, threadId }: StoredTurn, id: string): Promise<void> {
  await tellOfThread(deps, threadId, { teamId, type: 'approval', id }).catch((error: unknown) =>
    deps.log.warn({ error }, 'nobody was told that an approval is asked for'),
  )
}

function keepIn(
  deps: WorkDeps,
  begun: BegunTurn,
  {
    stream,
    tools,
    lookUp,
    said,
    onChange,
  }: {
    stream: TurnStream
    tools: readonly AgentTool[]
    lookUp: LookUpRights
    said: { isDue: boolean }
    onChange(): void
  },
) {
  const { database } = deps
  const { turn, agent, model, budget, parent } = begun
  const chain = parent?.chain ?? nobodyAsked
  const { teamId, answerId } = turn
  const { scopes } = begun.caller
  const now = () => budget.toStored(Date.now())
  const rules = async () =>
    (await database.call('team_approval_rules', JSON.stringify({ team_id: teamId }))) as ApprovalsByTool
  let admitted = new Set<string>()
  return {
    stream: (chunk) => stream.add(chunk),
    async stepDone(step, { parts }, calls) {
      // before the step: a crash in between can only have them count too much
      await parent?.keepBudget()
      const plain =
        calls.length > 0 ? findPlainCalls(calls, tools, { agent, chain, scopes, teamRules: await rules() }) : []
      admitted = await keepStep(database, turn, {
        ...{ step, model: model.name, parts, budget: now() },
        activity: calls.length > 0 ? 'executing' : 'thinking',
        calls: plain,
      })
      onChange()
    },
    checkRights: lookUp,
    async takeSaid() {
      // a round trip for each step would be for nothing: nobody says anything to most of them
      if (!said.isDue) return []
      said.isDue = false
      const taken = await takeSaid(database, turn)
      if (taken.length > 0) onChange()
      return taken
    },
    retried: (retry) => noteRetry(database, turn, retry),
    async admit(call) {
      // once: a turn that comes back to a call asks again
      const isPlain = admitted.delete(call.call.id)
      const admission = await admitWithinRights(lookUp, call.tool, async () =>
        isPlain ? { kind: 'run', isApproved: false } : admitCall({ database, turn, agent, chain }, call),
      )
      if (admission.kind === 'wait') void tellApproval(deps, turn, admission.approvalId)
      return admission
    },
    async callDone(number, call, { parts }) {
      const activity = findOpenCalls(parts).length > 0 ? 'executing' : 'thinking'
      await keepCall(database, turn, { number, call, parts, activity, budget: now() })
      onChange()
    },
    answerDone: (message: UIMessage) =>
      database.transaction({ team: teamId }, async (transaction) => {
        await holdTurn(transaction, turn)
        await updateMessage(transaction, teamId, answerId, message)
      }),
  } satisfies TurnKeeper & { answerDone(message: UIMessage): Promise<void> }
}

async function finish(
  { database, log }: WorkDeps,
  begun: BegunTurn,
  ending: WorkEnding,
  stream: TurnStream,
): Promise<void> {
  const { caller, turn, budget } = begun
  const { teamId, id: turnId, take } = turn
  const record = async () => {
    if (ending.kind === 'lost') return
    if (ending.kind === 'waiting' || ending.kind === 'sleeping' || ending.kind === 'leaving') {
      return restTurn(database, turn, ending, budget.toStored(Date.now()))
    }
    await database.transaction({ team: teamId }, async (transaction) => {
      const ended = await endTurn(transaction, { teamId, turnId, take }, ending)
      if (!ended) return
      await recordAudit(transaction, {
        teamId,
        actor: caller,
        action: 'turn.end',
        target: { kind: 'turn', id: turnId, name: turn.agentName },
        details: { ending: ending.kind, model: turn.model },
      })
    })
  }
  try {
    // whoever watches reads on from the server that goes on
    const isLeft = ending.kind === 'lost' || ending.kind === 'leaving'
    await stream.end(isLeft ? [] : closingChunks(turnId, ending), record)
  } catch (error) {
    if (!(error instanceof TurnLost)) log.error({ error, turnId }, 'the end of a turn could not be recorded')
  }
}
