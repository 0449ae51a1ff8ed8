import { CoherexError, hasRole, hasScope } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { findSecret, recordAudit, type KeyRing, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { secretHostTable } from '../tables.ts'

export interface SecretUse {
  secret: string
  username: string | undefined
  /** Of the repository. */
  origin: string
}

/**
 * The header that shows a secret to a host. Editors may use secrets and not read them, so they send one only where an
 * admin has sent it before: any other host could be their own.
 */
export async function authorize(
  rooms: { database: Database; keyRing: KeyRing },
  caller: TeamCaller,
  { secret, username = 'git', origin }: SecretUse,
): Promise<string> {
  const { teamId } = caller
  const found = await findSecret(rooms, teamId, secret)
  if (!found) throw refuse('not_found', `There is no secret "${secret}"`)
  await rooms.database.transaction({ team: teamId }, async (transaction) => {
    const { teamId: ofTeam, secretId, origin: at } = secretHostTable
    const [opened] = await transaction
      .select()
      .from(secretHostTable)
      .where(and(eq(ofTeam, teamId), eq(secretId, found.id), eq(at, origin)))
    if (opened) return
    if (!hasRole(caller.role, 'admin') || !hasScope(caller.scopes, 'admin')) {
      throw refuse('forbidden', `The secret "${secret}" was never used with ${origin}: an admin has to do that first`)
    }
    const row = { teamId, secretId: found.id, origin, openedBy: caller.person.name }
    await transaction.insert(secretHostTable).values(row).onConflictDoNothing()
    const target = { kind: 'secret', id: found.id, name: secret }
    await recordAudit(transaction, { teamId, actor: caller, action: 'secret.open-host', target, details: { origin } })
  })
  // a header has no line ends, whoever typed the secret
  return `Basic ${Buffer.from(`${username}:${found.value.trim()}`).toString('base64')}`
}

function refuse(code: 'not_found' | 'forbidden', message: string): CoherexError {
  return new CoherexError(code, message, { details: [{ field: 'secret', message }] })
}
