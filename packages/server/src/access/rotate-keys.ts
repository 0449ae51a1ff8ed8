import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { enterTeam, holdSecrets, type Database, type Transaction } from '../base/index.ts'
import { recordAudit } from './audit/record-audit.ts'
import { answerContext } from './callers/idempotency.ts'
import { contextOf, keyProof } from './secrets/key-ring.ts'
import { deriveKey, seal, unseal } from './secrets/seal.ts'
import { mcpCredentialContext, secretContext, triggerSecretContext } from './secrets/secrets.ts'
import { idempotencyKey, installation, secret, team, teamKey } from './tables.ts'

/**
 * Seals everything anew: a fresh key for each team, its secrets under it, all under the next installation key. One
 * transaction, so that a crash leaves either the old key or the new one in force, never a mixture.
 */
export async function rotateKeys(
  database: Database,
  { from, to }: { from: string; to: string },
): Promise<{ teams: number; secrets: number }> {
  const before = deriveKey(from, 'team keys')
  const after = deriveKey(to, 'team keys')
  let secrets = 0
  let count = 0
  await database.transaction({}, async (transaction) => {
    await holdSecrets(transaction)
    // only now, so that no team is made with the old key after it
    const teams = await database.transaction({ listTeams: true }, (list) => list.select({ id: team.teamId }).from(team))
    count = teams.length
    await transaction.update(installation).set({ keyCheck: keyProof(to) })
    for (const { id: teamId } of teams) {
      await enterTeam(transaction, teamId)
      const [row] = await transaction.select().from(teamKey).where(eq(teamKey.teamId, teamId))
      if (!row) continue // deleted since the list was made
      const oldKey = unseal(before, contextOf(teamId), row.sealed)
      const newKey = randomBytes(32)
      for (const one of await transaction.select().from(secret).where(eq(secret.teamId, teamId))) {
        const context = secretContext(teamId, one.id)
        await transaction
          .update(secret)
          .set({ sealed: seal(newKey, context, unseal(oldKey, context, one.sealed)) })
          .where(and(eq(secret.teamId, teamId), eq(secret.id, one.id)))
        secrets++
      }
      secrets += await rotateTriggers(transaction, teamId, { oldKey, newKey })
      secrets += await rotateMcpCredentials(transaction, teamId, { oldKey, newKey })
      const answers = and(eq(idempotencyKey.teamId, teamId), isNotNull(idempotencyKey.body))
      for (const one of await transaction.select().from(idempotencyKey).where(answers)) {
        const context = answerContext(one)
        const plain = unseal(oldKey, context, Buffer.from(one.body ?? '', 'base64'))
        await transaction
          .update(idempotencyKey)
          .set({ body: seal(newKey, context, plain).toString('base64') })
          .where(and(answers, eq(idempotencyKey.sender, one.sender), eq(idempotencyKey.key, one.key)))
      }
      await transaction
        .update(teamKey)
        .set({ sealed: seal(after, contextOf(teamId), newKey) })
        .where(eq(teamKey.teamId, teamId))
      await recordAudit(transaction, {
        teamId,
        actor: { kind: 'system', name: 'operator' },
        action: 'secret.rotate',
      })
    }
  })
  return { teams: count, secrets }
}

/** Secrets of webhooks are kept with their triggers, in a room above. */
async function rotateTriggers(
  transaction: Transaction,
  teamId: string,
  { oldKey, newKey }: { oldKey: Buffer; newKey: Buffer },
): Promise<number> {
  const { rows } = await transaction.execute<{ trigger_id: string; number: number; sealed: Buffer }>(
    sql`SELECT trigger_id, number, sealed FROM coherex.trigger_secret WHERE team_id = ${teamId}`,
  )
  for (const { trigger_id: id, number, sealed } of rows) {
    const context = triggerSecretContext(teamId, id, number)
    const next = seal(newKey, context, unseal(oldKey, context, sealed))
    await transaction.execute(sql`
      UPDATE coherex.trigger_secret SET sealed = ${next}
      WHERE team_id = ${teamId} AND trigger_id = ${id} AND number = ${number}`)
  }
  return rows.length
}

/** Sign-ins to MCP servers are kept with the servers. */
async function rotateMcpCredentials(
  transaction: Transaction,
  teamId: string,
  { oldKey, newKey }: { oldKey: Buffer; newKey: Buffer },
): Promise<number> {
  const { rows } = await transaction.execute<{ server_name: string; sealed: Buffer }>(
    sql`SELECT server_name, sealed FROM coherex.mcp_credential WHERE team_id = ${teamId}`,
  )
  for (const { server_name: name, sealed } of rows) {
    const context = mcpCredentialContext(teamId, name)
    const next = seal(newKey, context, unseal(oldKey, context, sealed))
    await transaction.execute(sql`
      UPDATE coherex.mcp_credential SET sealed = ${next} WHERE team_id = ${teamId} AND server_name = ${name}`)
  }
  return rows.length
}
