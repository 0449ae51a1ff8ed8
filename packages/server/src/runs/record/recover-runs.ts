import { forEachTeam, type Database, type Log, type ReleaseBlobs } from '../../base/index.ts'
import { gatherOutput, selectAbandonedOutputs } from './output-store.ts'
import { deleteExpiredFiles, endAbandonedRuns } from './run-store.ts'

const stopped = {
  kind: 'internal' as const,
  message: 'The server stopped before the run had ended, so what it printed last may be missing: run it again',
}

/** Ends the runs that a server with this id left behind when it was killed, with the output that was kept until then. */
export async function recoverRuns(database: Database, serverId: string, log: Log): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    const runs = await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      // one by one: what all of them have printed may be too much for one statement
      for (const id of await selectAbandonedOutputs(transaction, teamId, serverId)) {
        await gatherOutput(transaction, teamId, id)
      }
      return endAbandonedRuns(transaction, { teamId, serverId, error: stopped })
    })
    if (runs > 0) log.warn({ teamId, runs }, 'runs of the server before were ended')
  })
}

/** Forgets files of runs past their day. */
export async function pruneRunFiles(database: Database, releaseBlobs: ReleaseBlobs): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    releaseBlobs(
      teamId,
      await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
        deleteExpiredFiles(transaction, teamId),
      ),
    )
  })
}
