import { CoherexError, type Approval, type ApprovalsByTool, type ApprovalStatus, type Page } from '@coherex/contract'
import { and, desc, eq, lt, or, sql } from 'drizzle-orm'
import { decodeCursor, takePage, recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { showInput } from './show-input.ts'
import { approvalRuleTable, approvalTable, type StoredApproval } from './tables.ts'

export async function selectApproval(transaction: Transaction, teamId: string, id: string): Promise<StoredApproval> {
  const [row] = await transaction
    .select()
    .from(approvalTable)
    .where(and(eq(approvalTable.teamId, teamId), eq(approvalTable.id, id)))
  if (!row) throw new CoherexError('not_found', 'There is no such approval')
  return row
}

export async function readApproval(database: Database, teamId: string, id: string): Promise<Approval> {
  const [approval] = await database.transaction({ team: teamId }, async (transaction) =>
    describeApprovals(transaction, teamId, [await selectApproval(transaction, teamId, id)]),
  )
  if (!approval) throw new CoherexError('not_found', 'There is no such approval')
  return approval
}

export interface ApprovalFilters {
  limit: number
  cursor?: string | undefined
  status?: ApprovalStatus | undefined
  /** With what agents ask that were asked in it. */
  threadId?: string | undefined
}

export async function listApprovals(
  database: Database,
  teamId: string,
  { limit, cursor, status, threadId }: ApprovalFilters,
): Promise<Page<Approval>> {
  // ids begin with the time they were made at: the newest sorts last
  const before = cursor && decodeCursor(cursor, 1)[0]
  return database.transaction({ team: teamId }, async (transaction) => {
    const rows = await transaction
      .select()
      .from(approvalTable)
      .where(
        and(
          eq(approvalTable.teamId, teamId),
          status && eq(approvalTable.status, status),
          threadId === undefined
            ? undefined
            : or(eq(approvalTable.threadId, threadId), eq(approvalTable.rootThreadId, threadId)),
          before === undefined ? undefined : lt(approvalTable.id, before),
        ),
      )
      .orderBy(desc(approvalTable.id))
      .limit(limit + 1)
    const page = takePage(rows, limit, (last) => [last.id])
    return { ...page, items: await describeApprovals(transaction, teamId, page.items) }
  })
}

/** Calls with their conversations, as far as whoever looks may see those. */
async function describeApprovals(
  transaction: Transaction,
  teamId: string,
  rows: readonly StoredApproval[],
): Promise<Approval[]> {
  const asked = sql.param([...new Set(rows.map(({ threadId }) => threadId))])
  const seen = await transaction.execute<{ id: string }>(
    sql`SELECT id FROM coherex.thread WHERE team_id = ${teamId} AND id = ANY(${asked})`,
  )
  const ids = new Set(seen.rows.map(({ id }) => id))
  // nobody lets an answer stand for a conversation that they cannot read
  const unseen = { threadId: null, mayStand: false }
  return rows.map((row) => ({ ...toApproval(row), ...(!ids.has(row.threadId) && unseen) }))
}

function toApproval(row: StoredApproval): Approval {
  return {
    id: row.id,
    kind: row.kind,
    reason: row.reason,
    status: row.status,
    agent: row.agentName,
    threadId: row.threadId,
    turnId: row.turnId,
    callId: row.callId,
    via: [...row.via],
    tool: row.tool,
    input: row.input,
    shownInput: showInput(row.input),
    hash: row.hash,
    requestedBy: { id: row.personId, name: row.personName },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.decidedByName ?? '' },
    decidedAt: row.decidedAt?.toISOString() ?? null,
    note: row.note,
    ...(row.editedInput !== null && { editedInput: row.editedInput }),
    usedAt: row.usedAt?.toISOString() ?? null,
    mayStand: row.mayStand,
  }
}

/** The team's own rules, which no definition relaxes. */
export async function readTeamRules(transaction: Transaction, teamId: string): Promise<ApprovalsByTool> {
  const rows = await transaction.select().from(approvalRuleTable).where(eq(approvalRuleTable.teamId, teamId))
  return Object.fromEntries(rows.map(({ reference, rule }) => [reference, rule])) as ApprovalsByTool
}

export async function setTeamRules(database: Database, caller: TeamCaller, rules: ApprovalsByTool): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    const before = await readTeamRules(transaction, teamId)
    await transaction.delete(approvalRuleTable).where(eq(approvalRuleTable.teamId, teamId))
    const rows = Object.entries(rules).map(([reference, rule]) => ({ teamId, reference, rule }))
    if (rows.length > 0) await transaction.insert(approvalRuleTable).values(rows)
    const details = { before, after: rules }
    await recordAudit(transaction, { teamId, actor: caller, action: 'approval.rules', details })
  })
}
