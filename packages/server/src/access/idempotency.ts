import { CoherexError } from '@coherex/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../base/index.ts'
import type { TeamCaller } from './caller.ts'
import { hashToken } from './hash-token.ts'
import { idempotencyKey } from './tables.ts'

export interface StoredAnswer {
  status: number
  body: string
}

export interface IdempotentRequest {
  key: string
  /** Method, path and body: the same key with another request is a mistake of the caller. */
  request: string
}

const abandonedAfterMinutes = 5
const keptHours = 24

/**
 * Takes the key for this request. Answers what the first request with it answered, or undefined when this is the first;
 * then `store` or `release` must follow.
 */
export async function takeIdempotencyKey(
  database: Database,
  caller: TeamCaller,
  { key, request }: IdempotentRequest,
): Promise<StoredAnswer | undefined> {
  const requestHash = hashToken(request)
  const own = rowOf(caller, key)
  return database.transaction({ team: caller.teamId }, async (transaction) => {
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
    return { status: before.status, body: before.body ?? '' }
  })
}

export async function storeAnswer(
  database: Database,
  caller: TeamCaller,
  key: string,
  answer: StoredAnswer,
): Promise<void> {
  await database.transaction({ team: caller.teamId }, (transaction) =>
    transaction.update(idempotencyKey).set(answer).where(rowOf(caller, key)),
  )
}

/** The request failed before it made anything: the key may be used again. */
export async function releaseIdempotencyKey(database: Database, caller: TeamCaller, key: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, (transaction) =>
    transaction.delete(idempotencyKey).where(rowOf(caller, key)),
  )
}

function rowOf(caller: TeamCaller, key: string) {
  return and(
    eq(idempotencyKey.teamId, caller.teamId),
    eq(idempotencyKey.sender, caller.credentialId),
    eq(idempotencyKey.key, key),
  )
}
