import { forEachTeam, type Blobs, type Database, type Log } from '../base/index.ts'
import { deleteExpiredFiles, endAbandonedRun, selectAbandoned } from './run-store.ts'

/** Ends the runs that a server with this id left behind when it was killed. */
export async function recoverRuns(database: Database, serverId: string, log: Log): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    await database.transaction({ team: teamId }, async (transaction) => {
      const abandoned = await selectAbandoned(transaction, teamId, serverId)
      const error = { kind: 'internal' as const, message: 'The server stopped before the run had ended: run it again' }
      for (const id of abandoned) await endAbandonedRun(transaction, teamId, id, error)
      if (abandoned.length > 0) log.warn({ teamId, runs: abandoned.length }, 'runs of the server before were ended')
    })
  })
}

/** Forgets files of runs past their day. */
export async function pruneRunFiles({ database, blobs }: { database: Database; blobs: Blobs }): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    const unused = await database.transaction({ team: teamId }, (transaction) =>
      deleteExpiredFiles(transaction, teamId),
    )
    for (const hash of unused) await blobs.remove(teamId, hash)
  })
}
