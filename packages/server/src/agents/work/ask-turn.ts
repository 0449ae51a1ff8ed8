import type { StartedBy, TurnEnding } from '@coherex/contract'
import type { UIMessage } from 'ai'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { openAskedThread } from '../threads/asked-thread.ts'
import { readMessage } from '../threads/threads.ts'
import { TurnLeft } from '../turn/ending.ts'
import { CallWaits, startedByCall, TurnSleep, type ToolContext } from '../turn/tool.ts'
import { selectTurn, type StoredTurn } from '../turns/turn-store.ts'
import type { ParentTurn } from './begin-turn.ts'
import type { Saying } from './beginnings.ts'
import type { WorkEnding } from './work-turn.ts'

/** How an agent's question to another one becomes a turn. */
export interface TurnDoors {
  say(saying: Saying): Promise<StoredTurn>
  continue(
    caller: TeamCaller,
    turnId: string,
    asking: { parent: ParentTurn; startedBy: StartedBy },
  ): Promise<StoredTurn>
  drive(asked: StoredTurn, parent: ParentTurn): Promise<void>
  ended(turnId: string): Promise<WorkEnding | undefined>
}

/**
 * Has an agent answer in a thread of its own, within what is left of the asking turn. Called again for the same call it
 * goes on with what is there: only the asking turn does that, so that one answer, one stop and one lease concern both.
 */
export async function askTurn(
  database: Database,
  doors: TurnDoors,
  { agent, question }: { agent: string; question: string },
  context: ToolContext,
): Promise<{ text: string; ending: TurnEnding }> {
  const { caller, turnId, signal } = context
  const { teamId } = caller
  const asking = { parent: toParent(context), startedBy: startedByCall(context) }
  const { threadId, turn: before } = await openAskedThread(database, context, agent)

  let turn = before ?? (await doors.say({ caller, threadId, text: question, ...asking }))
  // it ended with an earlier turn of the one that asked, which was continued since
  const isCutOff = turn.endedAt && turn.status !== 'done' && turn.startedBy.id !== turnId
  if (isCutOff) turn = await doors.continue(caller, turn.id, asking)
  const { id, answerId } = turn
  let isFresh = isCutOff || !before

  while (!turn.ending) {
    if (!isFresh) await doors.drive(turn, asking.parent)
    isFresh = false
    const ending = await doors.ended(id)
    signal.throwIfAborted()
    if (ending?.kind === 'waiting') throw new CallWaits(ending.approvalIds)
    if (ending?.kind === 'sleeping') throw new TurnSleep(ending.until)
    if (ending?.kind === 'leaving') throw new TurnLeft()
    // another server may have taken it: then this one is either lost too, or takes it back
    turn = await database.transaction({ team: teamId }, (transaction) => selectTurn(transaction, teamId, id))
  }
  const { parts } = await readMessage(database, teamId, threadId, answerId)
  const text = (parts as UIMessage['parts']).flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  return { text, ending: turn.ending }
}

function toParent({ agent, threadId, chain, budget, depth, signal, hold, keepBudget }: ToolContext): ParentTurn {
  const agents = [...chain.agents, agent]
  return { budget, depth, signal, hold, keepBudget, chain: { agents, rootThreadId: chain.rootThreadId ?? threadId } }
}
