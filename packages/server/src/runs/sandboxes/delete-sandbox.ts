import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, ReleaseBlobs } from '../../base/index.ts'
import { deleteNotebook } from '../cells/cell-store.ts'
import { auditSandbox } from './new-sandbox.ts'
import { deleteCells, deleteSaved, updateSandbox } from './sandbox-store.ts'
import type { SandboxRow } from './sandbox.ts'

/** Deletes what was saved of a sandbox and marks it as ended by someone. */
export async function deleteSandbox(
  { database, releaseBlobs }: { database: Database; releaseBlobs: ReleaseBlobs },
  caller: TeamCaller,
  row: SandboxRow,
): Promise<void> {
  const { teamId, id } = row
  const released = await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    const saved = await deleteSaved(transaction, teamId, id)
    await deleteCells(transaction, teamId, id)
    await deleteNotebook(transaction, { teamId, sandboxId: id })
    await updateSandbox(transaction, teamId, id, {
      status: 'ended',
      reason: `deleted by ${caller.person.name}`,
      notice: null,
      sessions: [],
      endedAt: new Date(),
    })
    await recordAudit(transaction, auditSandbox(caller, 'sandbox.delete', row))
    return saved
  })
  releaseBlobs(teamId, released)
}
