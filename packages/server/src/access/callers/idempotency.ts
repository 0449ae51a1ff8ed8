import { CoherexError } from '@coherex/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database, Log } from '../../base/index.ts'
import type { TeamCaller } from '../caller.ts'
import { hashToken } from '../hash-token.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { idempotencyKey } from '../tables.ts'

export interface StoredAnswer {
  status: number
  /** Its Content-Type. */
  type: string
  body: string
}

export interface IdempotencyDeps {
  database: Database
  keyRing: KeyRing
}

export interface IdempotentRequest {
  key: string
  /** Method, path and body: the same key with another request is a mistake of the caller. */
  request: string
}

const abandonedAfterMinutes = 5
const heldEveryMs = 60_000
const keptHours = 24

/**
 * Takes the key for this request. Answers what the first request with it answered, or undefined when this is the first;
 * then `store` or `release` must follow, and `hold` until then.
 */
export async function takeIdempotencyKey(
  { database, keyRing }: IdempotencyDeps,
  caller: TeamCaller,
  { key, request }: IdempotentRequest,
): Promise<StoredAnswer | undefined> {
  const requestHash = hashToken(request)
  const own = rowOf(caller, key)
  return database.transaction({ team: caller.teamId, secrets: true }, async (transaction) => {
    await transaction.delete(idempotencyKey).where(
      and(
        own,
        sql`(${idempotencyKey.createdAt} < now() - make_interval(hours => ${keptHours})
            OR (${idempotencyKey.status} IS NULL AND ${idempotencyKey.createdAt} < now() - make_interval(mins => ${abandonedAfterMinutes})))`,
      ),
    )
    const taken = await transaction
      .insert(idempotencyKey)
      .values({ teamId: caller.teamId, sender: caller.credentialId, key, requestHash })
      .onConflictDoNothing()
      .returning({ key: idempotencyKey.key })
    if (taken.length > 0) return undefined
    const [before] = await transaction.select().from(idempotencyKey).where(own)
    if (before?.requestHash !== requestHash) {
      throw new CoherexError('conflict', 'This Idempotency-Key was used with another request')
    }
    if (before.status === null) {
      throw new CoherexError('conflict', 'A request with this Idempotency-Key is under way', { retryAfterSeconds: 1 })
    }
    const teamKey = await keyRing.teamKey(transaction, caller.teamId)
    const sealed = Buffer.from(before.body ?? '', 'base64')
    const kept = JSON.parse(unseal(teamKey, answerContext(before), sealed).toString()) as Omit<StoredAnswer, 'status'>
    return { ...kept, status: before.status }
  })
}

/**
 * Says that the request of a key goes on, again and again until what it answers is called: a run may take longer than the time
 * after which a key counts as abandoned, and must not be run twice then.
 */
export function holdIdempotencyKey(
  { database, log }: { database: Database; log: Log },
  caller: TeamCaller,
  key: string,
): () => void {
  const timer = setInterval(() => {
    const touched = database.transaction({ team: caller.teamId }, (transaction) =>
      transaction
        .update(idempotencyKey)
        .set({ createdAt: sql`now()` })
        .where(and(rowOf(caller, key), isNull(idempotencyKey.status))),
    )
    touched.catch((error: unknown) => log.warn({ error }, 'a request that goes on could not say so'))
  }, heldEveryMs)
  return () => clearInterval(timer)
}

/** Keeps the answer sealed: it may hold a link that is told only once. */
export async function storeAnswer(
  { database, keyRing }: IdempotencyDeps,
  caller: TeamCaller,
  key: string,
  { status, ...kept }: StoredAnswer,
): Promise<void> {
  const context = answerContext({ teamId: caller.teamId, sender: caller.credentialId, key })
  await database.transaction({ team: caller.teamId, secrets: true }, async (transaction) => {
    const sealed = seal(await keyRing.teamKey(transaction, caller.teamId), context, Buffer.from(JSON.stringify(kept)))
    await transaction
      .update(idempotencyKey)
      .set({ status, body: sealed.toString('base64') })
      .where(rowOf(caller, key))
  })
}

/** The request failed before it made anything: the key may be used again. */
export async function releaseIdempotencyKey(database: Database, caller: TeamCaller, key: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, (transaction) =>
    transaction.delete(idempotencyKey).where(rowOf(caller, key)),
  )
}

export function answerContext({ teamId, sender, key }: { teamId: string; sender: string; key: string }): string[] {
  return ['answer', teamId, sender, key]
}

function rowOf(caller: TeamCaller, key: string) {
  return and(
    eq(idempotencyKey.teamId, caller.teamId),
    eq(idempotencyKey.sender, caller.credentialId),
    eq(idempotencyKey.key, key),
  )
}
