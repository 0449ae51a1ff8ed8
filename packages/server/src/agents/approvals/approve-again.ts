import { CoherexError, type NeededApproval } from '@coherex/contract'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import { isCallOf } from '../turn/journal.ts'
import { showInput } from './show-input.ts'
import { approvalTable, type StoredApproval } from './tables.ts'

/** A call of an agent that somebody wants to repeat. */
export interface RepeatedCall {
  turnId: string
  callId: string
}

/** The approvals that calls needed, once each. A call of a program needed the one of its program too. */
export async function findNeeded(
  transaction: Transaction,
  teamId: string,
  calls: readonly RepeatedCall[],
): Promise<StoredApproval[]> {
  if (calls.length === 0) return []
  const turnIds = [...new Set(calls.map(({ turnId }) => turnId))]
  const rows = await transaction
    .select()
    .from(approvalTable)
    .where(
      and(
        eq(approvalTable.teamId, teamId),
        inArray(approvalTable.turnId, turnIds),
        eq(approvalTable.status, 'approved'),
      ),
    )
    .orderBy(desc(approvalTable.id))
  const needed = rows.filter((row) =>
    calls.some(({ turnId, callId }) => row.turnId === turnId && isCallOf(row.callId, callId)),
  )
  return needed.filter((row, index) => needed.findIndex(({ hash }) => hash === row.hash) === index)
}

export function toNeeded(row: StoredApproval): NeededApproval {
  const input = row.editedInput ?? row.input
  return {
    ...{ tool: row.tool, agent: row.agentName, threadId: row.threadId, reason: row.reason, hash: row.hash, input },
    shownInput: showInput(input),
    decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.decidedByName ?? '' },
    decidedAt: row.decidedAt?.toISOString() ?? null,
  }
}

/**
 * Throws unless a signed-in person approves again what these calls needed an approval for, by the hashes they were shown.
 * Their answers are written down as used: they count for this and for nothing else.
 */
export async function approveAgain(
  database: Database,
  caller: TeamCaller,
  { calls, hashes = [] }: { calls: readonly RepeatedCall[]; hashes?: readonly string[] | undefined },
): Promise<void> {
  const { teamId, person } = caller
  // also those of a conversation that the caller does not see: what is hidden asks all the same
  await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    const needed = await findNeeded(transaction, teamId, calls)
    const missing = needed.filter(({ hash }) => !hashes.includes(hash))
    if (missing.length > 0) {
      const tools = [...new Set(missing.map(({ tool }) => tool))].join(', ')
      throw new CoherexError(
        'forbidden',
        `Cannot run it again: the call of ${tools} needed an approval and needs one again, by a signed-in person in the studio`,
        { details: { approvals: missing.map(toNeeded) } },
      )
    }
    if (needed.length === 0) return
    if (caller.via !== 'session') {
      throw new CoherexError('forbidden', 'An approval takes a signed-in person: API keys may not give it')
    }
    for (const row of needed) await insertAnswer(transaction, row, caller)
    await recordAudit(
      transaction,
      ...needed.map(({ id, tool, turnId, hash }) => ({
        teamId,
        actor: caller,
        action: 'approval.approve' as const,
        target: { kind: 'approval', id, name: tool },
        details: { turnId, hash, isEdited: false, isAgain: true, by: person.id },
      })),
    )
  })
}

async function insertAnswer(transaction: Transaction, before: StoredApproval, caller: TeamCaller): Promise<void> {
  const now = new Date()
  await transaction.insert(approvalTable).values({
    ...before,
    id: createId('approval'),
    kind: 'repeat',
    reason: `${caller.person.name} runs it again`,
    createdAt: now,
    expiresAt: now,
    decidedBy: caller.person.id,
    decidedByName: caller.person.name,
    decidedAt: now,
    usedAt: now,
    note: null,
  })
}
