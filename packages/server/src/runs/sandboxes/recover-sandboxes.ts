import { forEachTeam, type Database, type Log } from '../../base/index.ts'
import { deleteEnded, putAbandonedToSleep } from './sandbox-store.ts'

/** Puts to sleep what a server with this id left when it was killed, and forgets what ended long ago. */
export async function recoverSandboxes(database: Database, serverId: string, log: Log): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    const count = await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      await deleteEnded(transaction, teamId)
      return putAbandonedToSleep(transaction, teamId, { serverId, reason: 'the server stopped without warning' })
    })
    if (count > 0) log.warn({ teamId, sandboxes: count }, 'sandboxes of the server before sleep')
  })
}
