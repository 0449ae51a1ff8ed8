import { agentOfThread } from '../threads/agent-of-thread.ts'
import { selectBranch, toHistory } from '../threads/message-store.ts'
import { selectThread } from '../threads/thread-store.ts'
import { Budget } from '../turn/budget.ts'
import { findRights } from '../turns/rights.ts'
import { selectLastStep, type StoredTurn } from '../turns/turn-store.ts'
import type { BeginDeps, BegunTurn, ParentTurn } from './begin-turn.ts'

/** Everything a stored turn goes on with: the version it began with, what is written, and what is left of its limits. */
export async function loadTurn(
  { database, models }: BeginDeps,
  turn: StoredTurn,
  parent?: ParentTurn,
): Promise<BegunTurn> {
  const { teamId, threadId, questionId, answerId } = turn
  const caller = await findRights(database, turn)
  const model = await models.resolve(teamId, turn.model)
  const { thread, branch, lastStep } = await database.transaction({ team: teamId }, async (transaction) => ({
    thread: await selectThread(transaction, teamId, threadId),
    branch: await selectBranch(transaction, teamId, threadId, answerId),
    lastStep: await selectLastStep(transaction, turn),
  }))
  const agent = await agentOfThread(database, thread, turn.agentVersion)
  const answer = branch.at(-1)
  const question = branch.findIndex(({ id }) => id === questionId)
  const now = Date.now()
  return {
    caller,
    thread,
    agent,
    turn,
    history: toHistory(branch.slice(0, question + 1), questionId),
    written: answer?.id === answerId ? answer.parts : [],
    lastStep,
    budget: turn.budget ? Budget.restore(turn.budget, now, parent?.budget) : Budget.of(agent.definition.limits, now),
    model,
    parent,
  }
}
