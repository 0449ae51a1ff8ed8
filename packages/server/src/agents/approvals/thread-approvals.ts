import { CoherexError, type ThreadApproval } from '@coherex/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import type { AskingChain } from '../turn/tool.ts'
import { threadApprovalTable, type StoredApproval } from './tables.ts'

const of = threadApprovalTable

/**
 * Whether a person said that an agent may use a tool in a conversation without asking. It counts for the version of the
 * agent that asked, for the person it worked for, and while whoever said so may still answer.
 */
export async function isStanding(
  transaction: Transaction,
  {
    turn,
    agent,
    chain,
  }: { turn: { teamId: string; threadId: string; personId: string }; agent: StoredAgent; chain: AskingChain },
  tool: string,
): Promise<boolean> {
  const { rows } = await transaction.execute(sql`
    SELECT 1 FROM coherex.thread_approval AS standing
    JOIN coherex.member ON member.team_id = standing.team_id AND member.person_id = standing.decided_by
    WHERE standing.team_id = ${turn.teamId} AND standing.thread_id = ${chain.rootThreadId ?? turn.threadId}
      AND standing.agent_name = ${agent.name} AND standing.agent_version = ${agent.version} AND standing.tool = ${tool}
      AND standing.person_id = ${turn.personId} AND member.role IN ('editor', 'admin', 'owner')`)
  return rows.length > 0
}

/** Writes down that an answer stands for the conversation. */
export async function insertThreadApproval(
  transaction: Transaction,
  { person }: TeamCaller,
  { teamId, id, turnId, threadId, rootThreadId, agentName, tool, personId, personName }: StoredApproval,
): Promise<void> {
  const said = { decidedBy: person.id, decidedByName: person.name, approvalId: id, createdAt: new Date() }
  const agentVersion = sql<number>`(SELECT agent_version FROM coherex.turn WHERE team_id = ${teamId} AND id = ${turnId})`
  await transaction
    .insert(of)
    .values({
      ...{ teamId, threadId: rootThreadId ?? threadId, agentName, tool, personId, personName, agentVersion },
      ...said,
    })
    .onConflictDoUpdate({
      target: [of.teamId, of.threadId, of.agentName, of.tool, of.personId],
      set: { agentVersion, ...said },
    })
}

export async function listThreadApprovals(
  database: Database,
  { teamId, person }: TeamCaller,
  threadId: string,
): Promise<ThreadApproval[]> {
  const rows = await database.transaction({ team: teamId, person: person.id }, async (transaction) => {
    const { rows: threads } = await transaction.execute(
      sql`SELECT 1 FROM coherex.thread WHERE team_id = ${teamId} AND id = ${threadId}`,
    )
    if (threads.length === 0) throw new CoherexError('not_found', 'There is no such thread')
    return transaction
      .select()
      .from(of)
      .where(and(eq(of.teamId, teamId), eq(of.threadId, threadId)))
      .orderBy(desc(of.createdAt))
  })
  return rows.map((row) => ({
    id: row.approvalId,
    agent: row.agentName,
    tool: row.tool,
    requestedBy: { id: row.personId, name: row.personName },
    decidedBy: { id: row.decidedBy, name: row.decidedByName },
    createdAt: row.createdAt.toISOString(),
  }))
}

/** Any editor has it ask again: whoever may answer may also take an answer back. */
export async function withdrawThreadApproval(
  database: Database,
  caller: TeamCaller,
  { threadId, approvalId }: { threadId: string; approvalId: string },
): Promise<void> {
  const { teamId, person } = caller
  await database.transaction({ team: teamId, person: person.id }, async (transaction) => {
    const [row] = await transaction
      .delete(of)
      .where(and(eq(of.teamId, teamId), eq(of.threadId, threadId), eq(of.approvalId, approvalId)))
      .returning()
    if (!row) throw new CoherexError('not_found', 'There is no such approval in this thread')
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: 'approval.withdraw',
      target: { kind: 'thread', id: threadId, name: row.tool },
      details: { agent: row.agentName, approvalId, for: row.personName },
    })
  })
}
