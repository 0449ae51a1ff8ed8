import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { secret } from '../tables.ts'
import type { KeyRing } from './key-ring.ts'
import { unseal } from './seal.ts'
import { secretContext } from './secrets.ts'

/** The values of those names that a team has set, or of all, in one look. No route answers with them. */
export async function openSecrets(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  teamId: string,
  names?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return database.transaction({ team: teamId, secrets: true }, async (transaction) => {
    const rows = await transaction
      .select({ id: secret.id, name: secret.name, sealed: secret.sealed })
      .from(secret)
      .where(and(eq(secret.teamId, teamId), names && inArray(secret.name, [...names])))
    if (rows.length === 0) return new Map()
    const key = await keyRing.teamKey(transaction, teamId)
    return new Map(
      rows.map(({ id, name, sealed }) => [name, unseal(key, secretContext(teamId, id), sealed).toString()]),
    )
  })
}
