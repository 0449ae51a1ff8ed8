import { createHash } from 'node:crypto'
import { CoherexError } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { hashToken, type KeyRing } from '../access/index.ts'
import { arrive, findWake, type StoredWake } from '../agents/index.ts'
import { enterTeam, type Database, type Transaction } from '../base/index.ts'
import { insertDelivery } from './delivery-store.ts'
import { refuseBody } from './refuse-body.ts'
import { deliveryTable, triggerTable, type StoredTrigger } from './tables.ts'
import { isTriggerAwake } from './target.ts'
import { openTriggerSecrets } from './trigger-secrets.ts'
import { signatureOf, type Clock } from './trigger.ts'
import { verifySignature, type SignedRequest } from './verify-signature.ts'

/** What an address leads to. */
export type Hook = { kind: 'trigger'; trigger: StoredTrigger; secrets: string[] } | { kind: 'wake'; wake: StoredWake }

export interface HookRequest extends SignedRequest {
  contentType: string
}

export type HookAnswer = { id: string; isNew: boolean } | { challenge: string }

export interface HookDeps {
  database: Database
  keyRing: KeyRing
  clock: Clock
}

// what waits to be started; a sender is told to come again, so that nothing that was taken is lost
const mostPending = 5_000

/** The webhook or sleeper that an address belongs to; undefined for all others, and for agents and tools that rest. */
export async function findHook({ database, keyRing }: HookDeps, hook: string): Promise<Hook | undefined> {
  const token = hashToken(hook)
  return database.transaction({ token, secrets: true }, async (transaction) => {
    const [trigger] = await transaction.select().from(triggerTable).where(eq(triggerTable.hookHash, token))
    if (!trigger) {
      const wake = await findWake(transaction, token)
      return wake && { kind: 'wake', wake }
    }
    await enterTeam(transaction, trigger.teamId)
    if (!(await isTriggerAwake(transaction, trigger))) return undefined
    return { kind: 'trigger', trigger, secrets: await openTriggerSecrets(transaction, keyRing, trigger) }
  })
}

/** Takes a request: what is answered is stored. */
export async function receiveHook(deps: HookDeps, hook: Hook, request: HookRequest): Promise<HookAnswer> {
  const { database, clock } = deps
  if (hook.kind === 'wake') {
    const { wake } = hook
    refuseBody(request)
    const isNew = await database.transaction({ team: wake.teamId, upkeep: true }, (transaction) =>
      arrive(transaction, wake, request.body),
    )
    return { id: wake.id, isNew }
  }
  const { trigger, secrets } = hook
  const verdict = verifySignature(signatureOf(trigger.definition), request, { secrets, now: clock() })
  if (verdict.kind === 'refused') throw new CoherexError('unauthenticated', verdict.reason)
  refuseBody(request)
  if (verdict.kind === 'challenge') return { challenge: verdict.challenge }
  return database.transaction({ team: trigger.teamId, upkeep: true }, async (transaction) => {
    const { delivery, isNew } = await insertDelivery(transaction, trigger, {
      kind: 'webhook',
      key: verdict.key,
      contentType: request.contentType,
      body: request.body,
    })
    if (isNew) await refuseFull(transaction, trigger.teamId)
    else if (!sameBody(delivery.bodyHash, request.body)) {
      throw new CoherexError('conflict', 'A delivery with this id and another body was taken before')
    }
    return { id: delivery.id, isNew }
  })
}

function sameBody(hash: string, body: Buffer): boolean {
  return createHash('sha256').update(body).digest('hex') === hash
}

async function refuseFull(transaction: Transaction, teamId: string): Promise<void> {
  const pending = await transaction.$count(
    deliveryTable,
    and(eq(deliveryTable.teamId, teamId), eq(deliveryTable.status, 'pending')),
  )
  if (pending <= mostPending) return
  throw new CoherexError('quota_exceeded', 'Too many deliveries wait to be started: send it again later', {
    retryAfterSeconds: 10,
  })
}
