import { CoherexError, hasRole, hasScope, type ApiKey, type Page, type Scope } from '@coherex/contract'
import { and, desc, eq, lt } from 'drizzle-orm'
import { createId, createToken, type Database, type Transaction } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { TeamCaller } from '../caller.ts'
import { decodeCursor, takePage, type PageQuery } from '../cursor.ts'
import { hashToken } from '../hash-token.ts'
import { apiKey, person } from '../tables.ts'

const keyPrefix = 'chx_'

export interface NewApiKey {
  name: string
  scopes: Scope[]
  expiresAt?: string | undefined
}

/** A key that acts for the caller in their team, with no scope that they lack. It is told once and kept as a hash. */
export async function createApiKey(
  database: Database,
  caller: TeamCaller,
  { name, scopes, expiresAt }: NewApiKey,
): Promise<ApiKey & { key: string }> {
  const beyond = scopes.find((scope) => !hasScope(caller.scopes, scope))
  if (beyond) throw new CoherexError('forbidden', `This API key lacks the scope "${beyond}" itself`)
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) {
    throw new CoherexError('invalid_input', 'The key would have expired already', { details: [{ field: 'expiresAt' }] })
  }
  const key = keyPrefix + createToken()
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction
      .insert(apiKey)
      .values({
        teamId: caller.teamId,
        id: createId('key'),
        personId: caller.person.id,
        name,
        start: key.slice(0, keyPrefix.length + 4),
        tokenHash: hashToken(key),
        scopes: [...new Set(scopes)],
        expiresAt: expiresAt ? new Date(expiresAt) : null,
      })
      .returning()
    if (!row) throw new Error('the key was not stored')
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'key.create',
      target: { kind: 'key', id: row.id, name },
      details: { scopes: row.scopes },
    })
    return { ...toKey({ ...row, personName: caller.person.name }), key }
  })
}

/** One's own keys; an admin sees everyone's. */
export async function listApiKeys(
  database: Database,
  caller: TeamCaller,
  { limit, cursor }: PageQuery,
): Promise<Page<ApiKey>> {
  const before = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const own = hasRole(caller.role, 'admin') ? undefined : eq(apiKey.personId, caller.person.id)
  const rows = await database.transaction({ team: caller.teamId }, (transaction) =>
    selectKeys(transaction)
      .where(and(eq(apiKey.teamId, caller.teamId), own, before ? lt(apiKey.id, before) : undefined))
      .orderBy(desc(apiKey.id))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.id])
  return { ...page, items: page.items.map(toKey) }
}

export async function revokeApiKey(database: Database, caller: TeamCaller, id: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const own = hasRole(caller.role, 'admin') ? undefined : eq(apiKey.personId, caller.person.id)
    const [row] = await transaction
      .delete(apiKey)
      .where(and(eq(apiKey.teamId, caller.teamId), eq(apiKey.id, id), own))
      .returning()
    if (!row) throw new CoherexError('not_found', 'There is no such key')
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'key.revoke',
      target: { kind: 'key', id, name: row.name },
    })
  })
}

function selectKeys(transaction: Transaction) {
  return transaction
    .select({
      id: apiKey.id,
      name: apiKey.name,
      start: apiKey.start,
      scopes: apiKey.scopes,
      personId: apiKey.personId,
      personName: person.name,
      createdAt: apiKey.createdAt,
      lastUsedAt: apiKey.lastUsedAt,
      expiresAt: apiKey.expiresAt,
    })
    .from(apiKey)
    .innerJoin(person, eq(person.id, apiKey.personId))
}

function toKey(row: Awaited<ReturnType<typeof selectKeys>>[number]): ApiKey {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    scopes: row.scopes,
    createdBy: { id: row.personId, name: row.personName },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  }
}
