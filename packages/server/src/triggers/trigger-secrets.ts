import { randomBytes } from 'node:crypto'
import { CoherexError, type MadeSecret, type Signature } from '@coherex/contract'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { recordAudit, seal, triggerSecretContext, unseal, type KeyRing, type TeamCaller } from '../access/index.ts'
import type { Database, Transaction } from '../base/index.ts'
import { triggerSecretTable, type StoredTrigger } from './tables.ts'
import { nameOf, type Target } from './target.ts'
import { selectTrigger } from './trigger-store.ts'
import { signatureOf } from './trigger.ts'

// what is past its time is gone at the next change; until then at most so many are tried
const mostSecrets = 4

/** Makes the secret that counts from now on. Those before are still taken for a while, so that a sender can change over. */
export async function makeTriggerSecret(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  caller: TeamCaller,
  {
    target,
    triggerId,
    value,
    keepOldHours,
  }: { target: Target; triggerId: string; value?: string | undefined; keepOldHours: number },
): Promise<MadeSecret> {
  const { teamId } = caller
  return database.transaction({ team: teamId, secrets: true }, async (transaction) => {
    const trigger = await selectTrigger(transaction, { teamId, target, id: triggerId })
    if (trigger.kind !== 'webhook') throw new CoherexError('conflict', 'Only requests to a webhook are signed')
    const secret = value ?? newSecret(signatureOf(trigger.definition))
    if (signatureOf(trigger.definition) === 'standard') requireStandard(secret)
    const own = and(eq(triggerSecretTable.teamId, teamId), eq(triggerSecretTable.triggerId, triggerId))
    const before = await transaction
      .select()
      .from(triggerSecretTable)
      .where(own)
      .orderBy(desc(triggerSecretTable.number))
    const number = (before[0]?.number ?? 0) + 1
    const oldUntil = keepOldHours > 0 && before.length > 0 ? new Date(Date.now() + keepOldHours * 3_600_000) : null
    const gone = oldUntil ? before.slice(mostSecrets - 1) : before
    await transaction
      .delete(triggerSecretTable)
      .where(and(own, inArray(triggerSecretTable.number, [-1, ...gone.map((one) => one.number)])))
    await transaction
      .update(triggerSecretTable)
      .set({
        expiresAt: sql`least(coalesce(expires_at, 'infinity'), ${oldUntil?.toISOString() ?? 'now'}::timestamptz)`,
      })
      .where(own)
    const key = await keyRing.teamKey(transaction, teamId)
    const sealed = seal(key, triggerSecretContext(teamId, triggerId, number), Buffer.from(secret))
    await transaction.insert(triggerSecretTable).values({ teamId, triggerId, number, sealed })
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: before.length > 0 ? 'trigger.secret-replace' : 'trigger.secret-create',
      target: { kind: 'trigger', id: triggerId, name: `${nameOf(trigger)} ${trigger.name}` },
    })
    return { secret, oldUntil: oldUntil?.toISOString() ?? null }
  })
}

/** The secrets that count now, for checking a signature. */
export async function openTriggerSecrets(
  transaction: Transaction,
  keyRing: KeyRing,
  { teamId, id }: Pick<StoredTrigger, 'teamId' | 'id'>,
): Promise<string[]> {
  const rows = await transaction
    .select()
    .from(triggerSecretTable)
    .where(
      and(
        eq(triggerSecretTable.teamId, teamId),
        eq(triggerSecretTable.triggerId, id),
        sql`(expires_at IS NULL OR expires_at > now())`,
      ),
    )
  if (rows.length === 0) return []
  const key = await keyRing.teamKey(transaction, teamId)
  return rows.map(({ number, sealed }) => unseal(key, triggerSecretContext(teamId, id, number), sealed).toString())
}

function newSecret(signature: Signature): string {
  if (signature === 'slack') {
    throw new CoherexError('invalid_input', 'Slack makes this secret: give its signing secret as value')
  }
  return signature === 'standard'
    ? `whsec_${randomBytes(32).toString('base64')}`
    : randomBytes(32).toString('base64url')
}

function requireStandard(secret: string): void {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const { length } = Buffer.from(text, 'base64')
  if (length >= 24 && length <= 64) return
  throw new CoherexError('invalid_input', 'A secret of Standard Webhooks is whsec_ and 24 to 64 bytes in base64')
}
