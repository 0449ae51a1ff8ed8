import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { forEachTeam, type Blobs, type Database, type Transaction } from '../../base/index.ts'
import { toolFileTable as table } from './tool-tables.ts'

/** Which of these blobs files of tool versions are. */
export async function toolBlobsInUse(transaction: Transaction, teamId: string, hashes: string[]): Promise<string[]> {
  const rows = await transaction
    .selectDistinct({ hash: table.hash })
    .from(table)
    .where(and(eq(table.teamId, teamId), inArray(table.hash, hashes)))
  return rows.flatMap(({ hash }) => hash ?? [])
}

/** The blobs of all versions of a tool. */
export async function selectHashes(transaction: Transaction, teamId: string, name: string): Promise<string[]> {
  const rows = await transaction
    .selectDistinct({ hash: table.hash })
    .from(table)
    .where(and(eq(table.teamId, teamId), eq(table.name, name)))
  return rows.flatMap(({ hash }) => hash ?? [])
}

/** Puts files into blobs whose bytes are still in their rows. */
export async function moveToolFiles(database: Database, blobs: Pick<Blobs, 'put'>): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    const withBytes = and(eq(table.teamId, teamId), isNotNull(table.bytes))
    for (;;) {
      const rows = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
        transaction.select().from(table).where(withBytes).limit(20),
      )
      if (rows.length === 0) return
      for (const { name, version, path, bytes } of rows) {
        if (!bytes) continue
        const hash = await blobs.put(teamId, bytes)
        const isFile = and(eq(table.name, name), eq(table.version, version), eq(table.path, path))
        await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
          transaction.update(table).set({ hash, bytes: null }).where(and(withBytes, isFile)),
        )
      }
    }
  })
}
