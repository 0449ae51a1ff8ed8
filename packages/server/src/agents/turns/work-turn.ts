import type { TurnEnding } from '@coherex/contract'
import type { UIMessage, UIMessageChunk } from 'ai'
import { recordAudit } from '../../access/index.ts'
import type { Database, EventBus, Log, Transaction } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import { buildInstructions } from '../loop/instructions.ts'
import { runTurn, TurnStop, type TurnKeeper } from '../loop/run-turn.ts'
import { updateMessage } from '../threads/message-store.ts'
import type { StoredThread } from '../threads/thread-store.ts'
import { titleThread } from '../threads/title-thread.ts'
import { endTurn, keepCalls, keepStep } from '../threads/turn-store.ts'
import type { TurnStream } from '../threads/turn-stream.ts'
import type { AgentTool } from '../tools/tool.ts'
import type { BegunTurn } from './begin-turn.ts'

export interface WorkRooms {
  database: Database
  events: EventBus
  log: Log
  /** The tools of a definition, ready to use. */
  toolsFor(agent: StoredAgent, thread: StoredThread, history: readonly UIMessage[]): Promise<AgentTool[]>
}

const windowMessages = 50

/** Works on a turn until it ends, keeping every step. Never throws: what goes wrong is the turn's ending. */
export async function workTurn(
  rooms: WorkRooms,
  begun: BegunTurn,
  { stream, stop }: { stream: TurnStream; stop: AbortController },
): Promise<TurnEnding> {
  const { events, log } = rooms
  const { caller, thread, agent, turn, history, written, budget, model } = begun
  const { teamId, id: turnId, threadId, answerId } = turn
  const timer = setTimeout(
    () => stop.abort(new TurnStop({ kind: 'time', message: 'It took all of its time' })),
    Math.max(0, budget.limits.deadline - Date.now()),
  )
  stream.add({ type: 'start', messageId: answerId, messageMetadata: { turnId } })
  let ending: TurnEnding = { kind: 'internal', message: 'Something went wrong on the server' }
  try {
    const keeper = keepIn(rooms, begun, stream)
    const result = await runTurn(
      {
        instructions: buildInstructions(agent.definition, {
          hasWorkspace: thread.workspaceId !== null,
          now: new Date(),
        }),
        history,
        answer: { id: answerId, role: 'assistant', parts: written },
        model,
        tools: await rooms.toolsFor(agent, thread, history),
        windowMessages: agent.definition.context?.messages ?? windowMessages,
        context: {
          caller,
          agent,
          threadId,
          turnId,
          workspaceId: thread.workspaceId,
          depth: turn.depth,
          budget,
          signal: stop.signal,
        },
      },
      keeper,
    )
    ending = result.ending
    await keeper.answerDone(result.answer)
  } catch (error) {
    log.error({ error, turnId }, 'a turn failed')
  }
  clearTimeout(timer)
  await finish(rooms, begun, ending, stream)
  await events.publish({ teamId, type: 'thread', id: threadId })
  const wantsTitle = thread.title === '' && !thread.isTitleGiven && thread.parentTurnId === null
  if (ending.kind === 'answered' && wantsTitle) await titleThread(rooms, begun)
  return ending
}

function keepIn({ database, events }: WorkRooms, { turn, model }: BegunTurn, stream: TurnStream) {
  const { teamId, threadId, answerId } = turn
  const keep = async (work: (transaction: Transaction) => Promise<void>) => {
    await database.transaction({ team: teamId }, work)
    void events.publish({ teamId, type: 'thread', id: threadId })
  }
  return {
    stream: (chunk) => stream.add(chunk),
    stepDone: (step, { parts }, hasCalls) =>
      keep((transaction) =>
        keepStep(transaction, turn, { step, model: model.name, parts, activity: hasCalls ? 'executing' : 'thinking' }),
      ),
    callsDone: (number, calls, { parts }) =>
      keep((transaction) => keepCalls(transaction, turn, { number, calls, parts })),
    answerDone: (message: UIMessage) =>
      database.transaction({ team: teamId }, (transaction) => updateMessage(transaction, teamId, answerId, message)),
  } satisfies TurnKeeper & { answerDone(message: UIMessage): Promise<void> }
}

async function finish(
  { database, log }: WorkRooms,
  { caller, turn }: BegunTurn,
  ending: TurnEnding,
  stream: TurnStream,
): Promise<void> {
  const { teamId, id: turnId } = turn
  const last: UIMessageChunk[] = [
    ...(ending.kind === 'answered' ? [] : [{ type: 'data-ending' as const, data: ending }]),
    { type: 'finish', messageMetadata: { turnId } },
  ]
  const record = () =>
    database.transaction({ team: teamId }, async (transaction) => {
      await endTurn(transaction, { teamId, turnId }, ending)
      await recordAudit(transaction, {
        teamId,
        actor: caller,
        action: 'turn.end',
        target: { kind: 'turn', id: turnId, name: turn.agentName },
        details: { ending: ending.kind, model: turn.model },
      })
    })
  try {
    await stream.end(last, record)
  } catch (error) {
    log.error({ error, turnId }, 'the end of a turn could not be recorded')
  }
}
