import { and, desc, eq, sql } from 'drizzle-orm'
import { recordAudit } from '../../access/index.ts'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import type { Admission, CallToAdmit } from '../turn/admission.ts'
import type { AgentTool, AskingChain } from '../turn/tool.ts'
import { holdTurn, type HeldTurn } from '../turns/hold-turn.ts'
import { turnTable } from '../turns/tables.ts'
import { describeWaking } from '../turns/wakes.ts'
import { readTeamRules } from './approval-store.ts'
import { findAsking, type Asking } from './find-asking.ts'
import { hashCall } from './hash-call.ts'
import { approvalTable, turnCallTable, type StoredApproval } from './tables.ts'
import { isStanding } from './thread-approvals.ts'

export interface Admitting {
  database: Database
  turn: HeldTurn & {
    threadId: string
    answerId: string
    agentName: string
    personId: string
    personName: string
  }
  agent: StoredAgent
  chain: AskingChain
}

/** In which conversation, and for whom. */
type AskedFor = Pick<Admitting['turn'], 'teamId' | 'threadId' | 'personId'>

const repeatExpiryMs = 7 * 86_400_000
const repeatReason =
  'It was under way when the turn was cut off: it may have been done already. Approve to do it again, reject to skip it'

/**
 * Whether a call may be made now. What may change something is written down as begun in the same transaction that uses
 * up its approval, before anything happens: a crash can neither repeat a call nor use an answer twice.
 */
export async function admitCall(
  { database, turn, agent, chain }: Admitting,
  { tool, call, input, via = [] }: CallToAdmit,
  alsoKeep?: (transaction: Transaction) => Promise<void>,
): Promise<Admission> {
  const { teamId, id: turnId } = turn
  return database.transaction({ team: teamId }, async (transaction) => {
    await holdTurn(transaction, turn)
    await alsoKeep?.(transaction)
    const record = await findRecord(transaction, turn, call.id)
    // what sleeps is behind it, and knows for how long
    if (record?.status === 'sleeping' && tool.isResumable) {
      await setRecord(transaction, turn, { callId: call.id, tool: tool.name, status: 'begun' })
      return { kind: 'run', ...(await findGranted(transaction, turn, call.id)) }
    }
    if (record?.status === 'sleeping') {
      const { wakeAt } = record
      if (wakeAt && wakeAt > new Date()) return { kind: 'sleep', until: wakeAt }
      await setRecord(transaction, turn, { callId: call.id, tool: tool.name, status: 'done' })
      const waking = await describeWaking(transaction, turn, call.id)
      const text = `You slept. It is ${new Date().toISOString()} now.${waking === undefined ? '' : ` ${waking}`}`
      return { kind: 'answer', text }
    }
    if (record?.status === 'begun' && record.turnId === turnId && tool.isResumable) {
      return { kind: 'run', ...(await findGranted(transaction, turn, call.id)) }
    }
    // models may give an id twice: what the earlier call did is not this one's
    if (record?.status === 'done' || record?.status === 'failed') await forgetCall(transaction, turn, call.id)
    const mayBeDone = record?.status === 'begun' && !tool.isReadOnly && !tool.isResumable
    const kind = mayBeDone ? ('repeat' as const) : ('call' as const)
    const bound = { tool: tool.name, input: call.input, turnId, callId: call.id, requesterId: turn.personId }
    const hash = hashCall(bound)
    const approval = await findApproval(transaction, turn, { callId: call.id, kind, hash })
    // what was asked is decided by its answer, also where the rules would not ask any more
    if (!approval) {
      const asking = mayBeDone
        ? { reason: repeatReason, expiresMs: repeatExpiryMs, mayStand: false }
        : await findAskingFor(transaction, { turn, agent, chain }, tool, input)
      if (!asking) {
        if (!tool.isReadOnly) await setRecord(transaction, turn, { callId: call.id, tool: tool.name, status: 'begun' })
        return { kind: 'run', isApproved: false }
      }
      const approvalId = await insertApproval(transaction, {
        turn,
        tool,
        kind,
        hash,
        asking,
        input: call.input,
        callId: call.id,
        via: [...chain.agents.map(({ name }) => name), ...via],
        rootThreadId: chain.rootThreadId,
      })
      return { kind: 'wait', approvalId, reason: asking.reason, isNew: true }
    }
    if (approval.status === 'pending') {
      return {
        kind: 'wait',
        approvalId: approval.id,
        reason: approval.reason,
        isNew: call.state !== 'approval-requested',
      }
    }
    if (!approval.usedAt) await useApproval(transaction, approval)
    if (approval.status !== 'approved')
      return { kind: 'deny', approvalId: approval.id, reason: describeRefusal(approval) }
    const decided = approval.editedInput ?? call.input
    const isBound =
      approval.hash === hash &&
      (approval.editedHash === null || approval.editedHash === hashCall({ ...bound, input: decided }))
    if (!isBound) {
      return {
        kind: 'deny',
        approvalId: approval.id,
        reason: 'The call is not the one that was approved: it was not made',
      }
    }
    await setRecord(transaction, turn, { callId: call.id, tool: tool.name, status: 'begun' })
    return {
      kind: 'run',
      isApproved: true,
      approvalId: approval.id,
      ...(approval.editedInput !== null && { editedInput: approval.editedInput }),
    }
  })
}

export async function findAskingFor(
  transaction: Transaction,
  { turn, agent, chain }: Omit<Admitting, 'database' | 'turn'> & { turn: AskedFor },
  tool: AgentTool,
  input: unknown,
): Promise<Asking | undefined> {
  if (tool.reference === undefined) return undefined
  const teamRules = await readTeamRules(transaction, turn.teamId)
  const said = {
    wasApproved: await wasApproved(transaction, turn, tool.reference),
    isStanding: await isStanding(transaction, { turn, agent, chain }, tool.name),
  }
  return findAsking({ agent, chain, teamRules }, tool, { input, said })
}

async function wasApproved(
  transaction: Transaction,
  { teamId, threadId }: { teamId: string; threadId: string },
  reference: string,
): Promise<boolean> {
  const [row] = await transaction
    .select({ id: approvalTable.id })
    .from(approvalTable)
    .where(
      and(
        eq(approvalTable.teamId, teamId),
        eq(approvalTable.threadId, threadId),
        eq(approvalTable.reference, reference),
        eq(approvalTable.status, 'approved'),
        sql`used_at IS NOT NULL`,
      ),
    )
    .limit(1)
  return row !== undefined
}

/** What is known of a call, also from earlier turns of the same answer: it may have begun there and never ended. */
async function findRecord(transaction: Transaction, { teamId, id, answerId }: Admitting['turn'], callId: string) {
  const rows = await transaction
    .select({ turnId: turnCallTable.turnId, status: turnCallTable.status, wakeAt: turnCallTable.wakeAt })
    .from(turnCallTable)
    .innerJoin(turnTable, and(eq(turnTable.teamId, turnCallTable.teamId), eq(turnTable.id, turnCallTable.turnId)))
    .where(and(eq(turnCallTable.teamId, teamId), eq(turnCallTable.callId, callId), eq(turnTable.answerId, answerId)))
    .orderBy(desc(turnCallTable.begunAt))
  return rows.find(({ turnId }) => turnId === id) ?? rows.find(({ status }) => status !== 'sleeping')
}

async function setRecord(
  transaction: Transaction,
  { teamId, id: turnId }: HeldTurn,
  record: Pick<typeof turnCallTable.$inferInsert, 'callId' | 'tool' | 'status' | 'wakeAt'>,
): Promise<void> {
  const { tool, status, wakeAt = null } = record
  await transaction
    .insert(turnCallTable)
    .values({ teamId, turnId, ...record })
    .onConflictDoUpdate({
      target: [turnCallTable.teamId, turnCallTable.turnId, turnCallTable.callId],
      set: { tool, status, wakeAt, begunAt: sql`now()` },
    })
}

/** The newest question about a call whose answer was not acted on yet; a no holds for good. */
async function findApproval(
  transaction: Transaction,
  { teamId, id }: HeldTurn,
  { callId, kind, hash }: { callId: string; kind: StoredApproval['kind']; hash: string },
): Promise<StoredApproval | undefined> {
  const [row] = await transaction
    .select()
    .from(approvalTable)
    .where(
      and(
        eq(approvalTable.teamId, teamId),
        eq(approvalTable.turnId, id),
        eq(approvalTable.callId, callId),
        eq(approvalTable.kind, kind),
        sql`status <> 'cancelled' AND (used_at IS NULL OR status IN ('rejected', 'expired') AND hash = ${hash})`,
      ),
    )
    .orderBy(desc(approvalTable.createdAt), desc(approvalTable.id))
    .limit(1)
  return row
}

/** What an approver made of a call that was begun; it goes on with that. */
async function findGranted(transaction: Transaction, { teamId, id }: HeldTurn, callId: string) {
  const [row] = await transaction
    .select({ editedInput: approvalTable.editedInput })
    .from(approvalTable)
    .where(
      and(
        eq(approvalTable.teamId, teamId),
        eq(approvalTable.turnId, id),
        eq(approvalTable.callId, callId),
        eq(approvalTable.status, 'approved'),
        sql`used_at IS NOT NULL`,
      ),
    )
    .orderBy(desc(approvalTable.usedAt))
    .limit(1)
  const edited = row?.editedInput ?? null
  return { isApproved: row !== undefined, ...(edited !== null && { editedInput: edited }) }
}

async function forgetCall(
  transaction: Transaction,
  { teamId, answerId }: Admitting['turn'],
  callId: string,
): Promise<void> {
  await transaction.execute(sql`
    DELETE FROM coherex.agent_program WHERE team_id = ${teamId} AND answer_id = ${answerId} AND call_id = ${callId}`)
  await transaction.execute(sql`
    UPDATE coherex.thread SET parent_call_id = NULL FROM coherex.turn
    WHERE thread.team_id = ${teamId} AND thread.parent_call_id = ${callId}
      AND turn.team_id = ${teamId} AND turn.id = thread.parent_turn_id AND turn.answer_id = ${answerId}`)
}

export async function insertApproval(
  transaction: Transaction,
  asked: {
    turn: Omit<Admitting['turn'], 'take' | 'answerId'>
    tool: AgentTool
    kind: StoredApproval['kind']
    hash: string
    asking: Asking
    input: unknown
    callId: string
    via: readonly string[]
    rootThreadId: string | null
  },
): Promise<string> {
  const { turn, tool, kind, hash, asking, input, callId, via, rootThreadId } = asked
  const { teamId, id: turnId, threadId, agentName, personId, personName } = turn
  const id = createId('approval')
  const expiresAt = new Date(Date.now() + asking.expiresMs)
  await transaction.insert(approvalTable).values({
    ...{ teamId, id, turnId, threadId, agentName, callId, kind, hash, input, personId, personName, expiresAt, via },
    rootThreadId,
    mayStand: asking.mayStand,
    tool: tool.name,
    reference: tool.reference ?? tool.name,
    reason: asking.reason,
  })
  await recordAudit(transaction, {
    teamId,
    actor: { kind: 'agent', id: agentName, name: agentName },
    action: 'approval.ask',
    target: { kind: 'approval', id, name: tool.name },
    details: { turnId, hash, kind, ...(via.length > 0 && { via }) },
  })
  return id
}

export async function useApproval(transaction: Transaction, { teamId, id }: StoredApproval): Promise<void> {
  const used = await transaction
    .update(approvalTable)
    .set({ usedAt: new Date() })
    .where(and(eq(approvalTable.teamId, teamId), eq(approvalTable.id, id), sql`used_at IS NULL`))
    .returning({ id: approvalTable.id })
  if (used.length === 0) throw new Error(`approval ${id} was used twice`)
}

export function describeRefusal({ status, decidedByName, note, kind }: StoredApproval): string {
  if (status === 'expired') return 'Nobody answered in time, so it was not done'
  const done = kind === 'repeat' ? 'said not to do it again; it may have been done' : 'rejected it'
  return `${decidedByName ?? 'Someone'} ${done}${note ? `: ${note}` : ''}`
}
