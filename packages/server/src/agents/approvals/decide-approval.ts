import { CoherexError, type ApprovalDecision } from '@coherex/contract'
import { and, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { readApproval, selectApproval } from './approval-store.ts'
import { hashCall } from './hash-call.ts'
import { approvalTable, type StoredApproval } from './tables.ts'
import { insertThreadApproval } from './thread-approvals.ts'

/** Writes a person's answer down, once, and has the turn go on. Who may answer is the route's rule. */
export async function decideApproval(
  database: Database,
  caller: TeamCaller,
  id: string,
  { decision, hash, input, note, forThread }: ApprovalDecision,
): Promise<StoredApproval> {
  const { teamId, person } = caller
  // one that they are not asked is not there; of the turn that goes on they need to see nothing
  const shown = await readApproval(database, teamId, id)
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    // first the turn, as whoever puts it to rest does: an answer that comes at that moment is not missed
    const goesOn = await lockTurn(transaction, await selectApproval(transaction, teamId, id))
    const asked = await selectApproval(transaction, teamId, id)
    if (asked.status !== 'pending') throw new CoherexError('conflict', `This was answered before: ${asked.status}`)
    if (asked.expiresAt <= new Date()) throw new CoherexError('conflict', 'This was asked too long ago: it has expired')
    if (hash !== undefined && hash !== asked.hash) {
      throw new CoherexError('conflict', 'The arguments are not those you were shown: look again')
    }
    const stands = decision === 'approve' && forThread === true
    if (stands && !shown.mayStand) {
      const why = shown.threadId === null ? 'You cannot read the conversation' : 'The rules ask a person each time'
      throw new CoherexError('conflict', `${why}: it can only be approved once`)
    }
    const { tool, turnId, callId, personId } = asked
    const edited = decision === 'approve' && input !== undefined
    const [decided] = await transaction
      .update(approvalTable)
      .set({
        status: decision === 'approve' ? 'approved' : 'rejected',
        decidedBy: person.id,
        decidedByName: person.name,
        decidedAt: new Date(),
        note: note ?? null,
        ...(edited && {
          editedInput: input,
          editedHash: hashCall({ tool, input, turnId, callId, requesterId: personId }),
        }),
      })
      .where(and(eq(approvalTable.teamId, teamId), eq(approvalTable.id, id), eq(approvalTable.status, 'pending')))
      .returning()
    if (!decided) throw new CoherexError('conflict', 'This was answered before')
    if (stands) await insertThreadApproval(transaction, caller, asked)
    await transaction.execute(sql`
      UPDATE coherex.turn SET status = 'queued', activity = 'queued', not_before = now()
      WHERE team_id = ${teamId} AND id = ${goesOn} AND status = 'waiting'`)
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: `approval.${decision}`,
      target: { kind: 'approval', id, name: tool },
      details: {
        turnId,
        hash: decided.editedHash ?? decided.hash,
        isEdited: edited,
        ...(stands && { forThread: true }),
      },
    })
    return decided
  })
}

/** The turn that goes on with the answer: of agents that asked each other the first, which has the others go on. */
async function lockTurn(
  transaction: Transaction,
  { teamId, turnId, rootThreadId }: StoredApproval,
): Promise<string | undefined> {
  const isIt = rootThreadId === null ? sql`id = ${turnId}` : sql`thread_id = ${rootThreadId} AND ended_at IS NULL`
  const { rows } = await transaction.execute<{ id: string }>(
    sql`SELECT id FROM coherex.turn WHERE team_id = ${teamId} AND ${isIt} FOR UPDATE`,
  )
  return rows[0]?.id
}
