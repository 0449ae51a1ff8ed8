import { CoherexError } from '@coherex/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import { describeRefusal, findAskingFor, insertApproval, useApproval } from '../approvals/admit-call.ts'
import { hashCall } from '../approvals/hash-call.ts'
import { approvalTable, turnCallTable, type StoredApproval } from '../approvals/tables.ts'
import type { AgentTool } from '../turn/tool.ts'
import type { StoredTurn } from '../turns/turn-store.ts'

export interface AppCallToAdmit {
  turn: StoredTurn
  agent: StoredAgent
  tool: AgentTool
  /** The call whose view asks for this one. */
  shownBy: { callId: string; tool: string }
  /** Of this call, in the records of the turn. */
  callId: string
  input: unknown
}

export type AppAdmission =
  | { kind: 'run'; input: unknown }
  | { kind: 'wait'; approvalId: string; reason: string; isNew: boolean }

const defaultSteps = 20
const mostPending = 5
const nobodyAsked = { agents: [], rootThreadId: null }

/**
 * Whether a view may make a call now. A click in a view is no approval: it is of strangers, and may say one thing and do
 * another. So the rules are those of the agent's own calls, and the answer is bound to the arguments. Calls of views count
 * against the steps of the agent.
 */
export async function admitAppCall(
  database: Database,
  caller: TeamCaller,
  { turn, agent, tool, shownBy, callId, input }: AppCallToAdmit,
): Promise<AppAdmission> {
  const { teamId, id: turnId, threadId } = turn
  const requesterId = caller.person.id
  const bound = { tool: tool.name, input, turnId, callId, requesterId }
  const hash = hashCall(bound)
  return database.transaction({ team: teamId }, async (transaction) => {
    // one after the other, so that none is admitted twice and their number holds
    await transaction.execute(sql`SELECT 1 FROM coherex.turn WHERE team_id = ${teamId} AND id = ${turnId} FOR UPDATE`)
    const { made, isMade } = await countCalls(transaction, turn, callId)
    if (isMade) throw new CoherexError('conflict', 'This call of the view was made before')
    const steps = agent.definition.limits?.steps ?? defaultSteps
    if (made >= steps)
      throw new CoherexError(
        'quota_exceeded',
        `The views of this answer made ${steps} calls, as many as the agent has steps`,
      )
    const begin = async (given: unknown): Promise<AppAdmission> => {
      await transaction.insert(turnCallTable).values({ teamId, turnId, callId, tool: tool.name, status: 'begun' })
      await recordAudit(transaction, {
        ...{ teamId, actor: caller, action: 'app.call' as const },
        target: { kind: 'thread', id: threadId, name: tool.name },
        details: { turnId, view: shownBy.tool, hash: hashCall({ ...bound, input: given }) },
      })
      return { kind: 'run', input: given }
    }
    const approval = await findApproval(transaction, turn, callId)
    if (!approval) {
      const who = { ...turn, personId: requesterId, personName: caller.person.name }
      const asking = await findAskingFor(transaction, { turn: who, agent, chain: nobodyAsked }, tool, input)
      if (!asking) return begin(input)
      if ((await countPending(transaction, turn)) >= mostPending)
        throw new CoherexError('quota_exceeded', `${mostPending} calls of views wait for a person already`)
      const approvalId = await insertApproval(transaction, {
        ...{ turn: who, tool, kind: 'call' as const, hash, asking, input, callId },
        ...{ via: [`view of ${shownBy.tool}`], rootThreadId: null },
      })
      return { kind: 'wait', approvalId, reason: asking.reason, isNew: true }
    }
    const { id: approvalId, status, reason } = approval
    if (approval.hash !== hash)
      throw new CoherexError('conflict', 'This call of the view was asked for with other arguments')
    if (status === 'pending' && approval.expiresAt > new Date())
      return { kind: 'wait', approvalId, reason, isNew: false }
    if (status !== 'approved') {
      const refused = status === 'pending' ? { ...approval, status: 'expired' as const } : approval
      throw new CoherexError('forbidden', describeRefusal(refused))
    }
    await useApproval(transaction, approval)
    return begin(approval.editedInput ?? input)
  })
}

/** How a call of a view ended. */
export async function endAppCall(
  database: Database,
  { teamId, id: turnId }: StoredTurn,
  { callId, status }: { callId: string; status: 'done' | 'failed' },
): Promise<void> {
  await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .update(turnCallTable)
      .set({ status })
      .where(and(eq(turnCallTable.teamId, teamId), eq(turnCallTable.turnId, turnId), eq(turnCallTable.callId, callId))),
  )
}

async function countCalls(transaction: Transaction, { teamId, id }: StoredTurn, callId: string) {
  const { rows } = await transaction.execute<{ made: number; is_made: boolean }>(sql`
    SELECT count(*)::int AS made, coalesce(bool_or(call_id = ${callId}), false) AS is_made FROM coherex.turn_call
    WHERE team_id = ${teamId} AND turn_id = ${id} AND call_id LIKE 'app:%'`)
  return { made: rows[0]?.made ?? 0, isMade: rows[0]?.is_made ?? false }
}

async function countPending(transaction: Transaction, { teamId, id }: StoredTurn): Promise<number> {
  const { rows } = await transaction.execute<{ pending: number }>(sql`
    SELECT count(*)::int AS pending FROM coherex.approval
    WHERE team_id = ${teamId} AND turn_id = ${id} AND call_id LIKE 'app:%' AND status = 'pending' AND expires_at > now()`)
  return rows[0]?.pending ?? 0
}

async function findApproval(
  transaction: Transaction,
  { teamId, id }: StoredTurn,
  callId: string,
): Promise<StoredApproval | undefined> {
  const [row] = await transaction
    .select()
    .from(approvalTable)
    .where(and(eq(approvalTable.teamId, teamId), eq(approvalTable.turnId, id), eq(approvalTable.callId, callId)))
    .orderBy(desc(approvalTable.createdAt), desc(approvalTable.id))
    .limit(1)
  return row
}
