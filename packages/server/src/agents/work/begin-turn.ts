import { CoherexError, type AgentLimits, type Quotas, type StartedBy } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, eq } from 'drizzle-orm'
import { checkQuota, quotasOf, startedByCaller, toActing, type TeamCaller } from '../../access/index.ts'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import type { Models, ResolvedModel } from '../../models/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import type { Attachments } from '../../runs/index.ts'
import { agentOfThread } from '../threads/agent-of-thread.ts'
import { insertMessage, selectBranch, selectOpening, toHistory } from '../threads/message-store.ts'
import { threadTable } from '../threads/tables.ts'
import { selectThread, type StoredThread } from '../threads/thread-store.ts'
import { Budget } from '../turn/budget.ts'
import type { AskingChain, ToolContext } from '../turn/tool.ts'
import { insertTurn, readTurnUse, type StoredTurn, type TurnUse } from '../turns/turn-store.ts'

/** Everything a turn works with, read once at its beginning: what changes later concerns the next one. */
export interface BegunTurn {
  caller: TeamCaller
  thread: StoredThread
  agent: StoredAgent
  turn: StoredTurn
  /** The branch up to the question, oldest first. */
  history: UIMessage[]
  /** What is written of the answer already. */
  written: UIMessage['parts']
  /** The number of the last step that is kept. */
  lastStep: number
  budget: Budget
  model: ResolvedModel
  /** Of an agent that another one asked. */
  parent?: ParentTurn | undefined
}

/** The turn of an agent that asks another one. */
export interface ParentTurn extends Pick<ToolContext, 'budget' | 'depth' | 'hold' | 'keepBudget'> {
  /** When it stops, what it asked for stops too. */
  signal: AbortSignal
  /** Of the one that is asked. */
  chain: AskingChain
}

export interface Beginning {
  caller: TeamCaller
  threadId: string
  model?: string | undefined
  /** An answer to go on with. */
  answerId?: string
  parent?: ParentTurn | undefined
  /** What began it; the caller unless said. */
  startedBy?: StartedBy | undefined
  /** The turn whose question is answered again. */
  retryOf?: string | undefined
  /** The turn whose answer it goes on with. */
  continues?: string
  /** What a new answer begins with; what the first one began with, where a question is answered again. */
  opening?: UIMessage['parts'] | 'as-before' | undefined
  /** The message to answer, made or found in the transaction that writes the turn down. */
  question(transaction: Transaction, thread: StoredThread): Promise<string>
}

export interface BeginDeps {
  database: Database
  models: Models
  attachments: Pick<Attachments, 'attach'>
}

// more than people wait for; it keeps a program in a loop from filling the disk
const openTurnsPerTeam = 1_000

/** Checks that an agent may go to work and writes the turn down, at the end of the queue. */
export async function beginTurn(deps: BeginDeps, beginning: Beginning): Promise<BegunTurn> {
  const { database, models } = deps
  const { caller, threadId, answerId, parent, startedBy = startedByCaller(caller) } = beginning
  const { teamId } = caller
  const [{ thread, quotas }, use] = await Promise.all([
    database.transaction({ team: teamId }, async (transaction) => ({
      thread: await selectThread(transaction, teamId, threadId),
      quotas: await quotasOf(transaction, teamId),
    })),
    readTurnUse(database, teamId),
  ])
  checkUse(use, quotas)
  const agent = await agentOfThread(database, thread)
  if (agent.status !== 'active') {
    throw new CoherexError('conflict', `The agent "${agent.name}" is ${agent.status}: activate it first`)
  }
  const name = await models.choose(teamId, [beginning.model, thread.model, agent.definition.model])
  const model = await models.resolve(teamId, name)
  const left = quotas.spendUsdPerMonth - use.spentUsd
  const budget = budgetFor(agent.definition.limits, left, model, parent)

  return database.transaction({ team: teamId }, async (transaction) => {
    await parent?.hold(transaction)
    const questionId = await beginning.question(transaction, thread)
    const history = await selectBranch(transaction, teamId, threadId, questionId)
    const turn = await insertTurn(transaction, {
      teamId,
      id: createId('turn'),
      threadId,
      agentName: agent.name,
      agentVersion: agent.version,
      model: name,
      status: 'queued',
      activity: 'queued',
      questionId,
      answerId: answerId ?? createId('message'),
      depth: parent ? parent.depth + 1 : 0,
      serverId: '',
      budget: budget.toStored(Date.now()),
      acting: toActing(caller),
      mostOfAgent: agent.definition.limits?.turnsAtOnce ?? null,
      personId: caller.person.id,
      personName: caller.person.name,
      startedBy,
      retryOf: beginning.retryOf ?? null,
      continues: beginning.continues ?? null,
    })
    const written = answerId ? (await selectBranch(transaction, teamId, threadId, answerId)).at(-1)?.parts : undefined
    const opening =
      beginning.opening === 'as-before'
        ? await selectOpening(transaction, { teamId, threadId, questionId })
        : (beginning.opening ?? [])
    if (!answerId) await insertAnswer(transaction, turn, opening)
    await transaction
      .update(threadTable)
      .set({ headId: turn.answerId, updatedAt: new Date() })
      .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, threadId)))
    return {
      caller,
      thread,
      agent,
      turn,
      history: toHistory(history, questionId),
      written: written ?? opening,
      lastStep: 0,
      budget,
      model,
      parent,
    }
  })
}

async function insertAnswer(transaction: Transaction, turn: StoredTurn, parts: UIMessage['parts']): Promise<void> {
  await insertMessage(transaction, {
    teamId: turn.teamId,
    id: turn.answerId,
    threadId: turn.threadId,
    parentId: turn.questionId,
    role: 'assistant',
    parts,
    turnId: turn.id,
    authorId: `agent:${turn.agentName}`,
    authorName: turn.agentName,
  })
}

function checkUse({ open, spentUsd }: TurnUse, quotas: Quotas): void {
  if (open >= openTurnsPerTeam) {
    throw new CoherexError('quota_exceeded', `${open} turns of the team are under way: wait for one to end`, {
      retryAfterSeconds: 5,
    })
  }
  checkQuota(quotas, 'spendUsdPerMonth', spentUsd)
}

function budgetFor(
  limits: AgentLimits | undefined,
  teamUsd: number,
  model: ResolvedModel,
  parent: ParentTurn | undefined,
): Budget {
  const budget = parent ? parent.budget.inherit(limits, Date.now()) : Budget.of(limits, Date.now(), teamUsd)
  if (budget.cannotHold(model.price)) {
    throw new CoherexError(
      'conflict',
      `The agent limits what a turn may cost, and the price of ${model.name} is not known: pick another model, or drop the limit`,
    )
  }
  return budget
}
