import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { auditSandbox } from './new-sandbox.ts'
import { updateSandbox } from './sandbox-store.ts'
import type { Sandboxes } from './sandboxes.ts'

export interface ShareDeps {
  database: Database
  sandboxes: Sandboxes
}

/** Somebody made an address of a port for strangers. */
export async function recordShare(
  { database, sandboxes }: ShareDeps,
  caller: TeamCaller,
  { id, port }: { id: string; port: number },
): Promise<void> {
  const { teamId } = caller
  const row = await sandboxes.findUsable(teamId, id)
  await database.transaction({ team: teamId }, (transaction) =>
    recordAudit(transaction, auditSandbox(caller, 'sandbox.share', row, { port })),
  )
}

/** Addresses that were shared before now are void. */
export async function unshareSandbox(
  { database, sandboxes }: ShareDeps,
  caller: TeamCaller,
  id: string,
): Promise<void> {
  const { teamId } = caller
  const row = await sandboxes.findUsable(teamId, id)
  const sharesSince = new Date()
  await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    await updateSandbox(transaction, teamId, id, { sharesSince })
    await recordAudit(transaction, auditSandbox(caller, 'sandbox.unshare', row))
  })
  const awake = sandboxes.awake(teamId, id)
  if (awake) awake.row = { ...awake.row, sharesSince }
}
