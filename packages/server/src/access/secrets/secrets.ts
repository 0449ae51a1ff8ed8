import { CoherexError, type Page, type Secret } from '@coherex/contract'
import { and, asc, eq, gt } from 'drizzle-orm'
import { createId, type Database } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { TeamCaller } from '../caller.ts'
import { decodeCursor, takePage, type PageQuery } from '../cursor.ts'
import { secret } from '../tables.ts'
import type { KeyRing } from './key-ring.ts'
import { seal, unseal } from './seal.ts'

// the end of a short value would tell too much of it
const hintFromLength = 12

export async function putSecret(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  caller: TeamCaller,
  { name, value }: { name: string; value: string },
): Promise<Secret> {
  return database.transaction({ team: caller.teamId, secrets: true }, async (transaction) => {
    const [before] = await transaction
      .select({ id: secret.id })
      .from(secret)
      .where(and(eq(secret.teamId, caller.teamId), eq(secret.name, name)))
      .for('update')
    const id = before?.id ?? createId('secret')
    const key = await keyRing.teamKey(transaction, caller.teamId)
    const content = {
      sealed: seal(key, secretContext(caller.teamId, id), Buffer.from(value)),
      hint: value.length >= hintFromLength ? value.slice(-4) : '',
      updatedBy: caller.person.name,
      updatedAt: new Date(),
    }
    const [row] = before
      ? await transaction
          .update(secret)
          .set(content)
          .where(and(eq(secret.teamId, caller.teamId), eq(secret.id, id)))
          .returning()
      : await transaction
          .insert(secret)
          .values({ teamId: caller.teamId, id, name, ...content })
          .onConflictDoNothing()
          .returning()
    if (!row) throw new CoherexError('conflict', `Cannot store "${name}": someone else is storing it right now`)
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: before ? 'secret.replace' : 'secret.create',
      target: { kind: 'secret', id, name },
    })
    return toSecret(row)
  })
}

/** The value, for use by the host on behalf of guests. No route answers with it. */
export async function openSecret(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  teamId: string,
  name: string,
): Promise<string | undefined> {
  return (await findSecret({ database, keyRing }, teamId, name))?.value
}

/** The same with the id, which stays when the value is replaced and goes with the secret. */
export async function findSecret(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  teamId: string,
  name: string,
): Promise<{ id: string; value: string } | undefined> {
  return database.transaction({ team: teamId, secrets: true }, async (transaction) => {
    const [row] = await transaction
      .select()
      .from(secret)
      .where(and(eq(secret.teamId, teamId), eq(secret.name, name)))
    if (!row) return undefined
    const key = await keyRing.teamKey(transaction, teamId)
    return { id: row.id, value: unseal(key, secretContext(teamId, row.id), row.sealed).toString() }
  })
}

export async function listSecrets(
  database: Database,
  teamId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<Secret>> {
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(secret)
      .where(and(eq(secret.teamId, teamId), after ? gt(secret.name, after) : undefined))
      .orderBy(asc(secret.name))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.name])
  return { ...page, items: page.items.map(toSecret) }
}

export async function removeSecret(database: Database, caller: TeamCaller, name: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(secret)
      .where(and(eq(secret.teamId, caller.teamId), eq(secret.name, name)))
      .returning()
    if (!row) throw new CoherexError('not_found', `There is no secret "${name}"`)
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'secret.delete',
      target: { kind: 'secret', id: row.id, name },
    })
  })
}

export function secretContext(teamId: string, secretId: string): string[] {
  return ['secret', teamId, secretId]
}

/** Of a secret that requests to a webhook are signed with. */
export function triggerSecretContext(teamId: string, triggerId: string, number: number): string[] {
  return ['trigger-secret', teamId, triggerId, String(number)]
}

/** Of what a sign-in to an MCP server left. */
export function mcpCredentialContext(teamId: string, server: string): string[] {
  return ['mcp-credential', teamId, server]
}

function toSecret(row: typeof secret.$inferSelect): Secret {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedBy,
  }
}
