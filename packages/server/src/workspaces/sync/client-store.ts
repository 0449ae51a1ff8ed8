import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import type { DocumentName } from '../document/document-store.ts'
import { clientTable, contentTable } from '../tables.ts'

/**
 * Makes clients a person's where they are nobody's yet; answers those that are someone else's. `used` are clients whose
 * writing is in the document already: without an owner they are the server's own.
 */
export async function claimClients(
  database: Database,
  { teamId, workspaceId }: DocumentName,
  { personId, clients, used }: { personId: string; clients: number[]; used: ReadonlySet<number> },
): Promise<number[]> {
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    const fresh = clients.filter((client) => !used.has(client))
    if (fresh.length > 0) {
      const rows = fresh.map((client) => ({ teamId, workspaceId, client, personId }))
      await transaction.insert(clientTable).values(rows).onConflictDoNothing()
    }
    const owned = await transaction
      .select({ client: clientTable.client })
      .from(clientTable)
      .where(
        and(
          eq(clientTable.teamId, teamId),
          eq(clientTable.workspaceId, workspaceId),
          eq(clientTable.personId, personId),
          inArray(clientTable.client, clients),
        ),
      )
    const own = new Set(owned.map(({ client }) => client))
    return clients.filter((client) => !own.has(client))
  })
}

/** Which of these blobs the workspace has never had. */
export async function findStrangeBlobs(
  database: Database,
  { teamId, workspaceId }: DocumentName,
  hashes: string[],
): Promise<string[]> {
  const rows = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction
      .select({ hash: contentTable.hash })
      .from(contentTable)
      .where(
        and(
          eq(contentTable.teamId, teamId),
          eq(contentTable.workspaceId, workspaceId),
          eq(contentTable.kind, 'blob'),
          inArray(contentTable.hash, hashes),
        ),
      ),
  )
  const known = new Set(rows.map(({ hash }) => hash))
  return hashes.filter((hash) => !known.has(hash))
}
