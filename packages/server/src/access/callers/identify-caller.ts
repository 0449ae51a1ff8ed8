import { CoherexError, scopes as allScopes } from '@coherex/contract'
import { and, asc, eq } from 'drizzle-orm'
import { enterTeam, type Database, type EventBus, type Transaction } from '../../base/index.ts'
import { accessPrefix } from '../access-prefix.ts'
import { BriefMemory } from '../brief-memory.ts'
import type { Caller, Origin } from '../caller.ts'
import { hashToken } from '../hash-token.ts'
import { findFirstOperator, toPerson } from '../sign-in/people.ts'
import type { FoundSession, SignIn } from '../sign-in/sign-in.ts'
import { apiKey, member, oauthGrant, person, session } from '../tables.ts'

export interface IdentifyOptions {
  database: Database
  events: EventBus
  signIn: SignIn
  /** Hash of the operator's fixed key from the environment. */
  fixedKeyHash: string | undefined
}

export type IdentifyCaller = (
  headers: Headers,
  origin: Origin,
  /** The resource that is asked for: tokens of OAuth clients are bound to one, and taken nowhere else. */
  audience?: string,
) => Promise<Caller | undefined>

const lastUsedEveryMs = 60_000
const rememberKeyMs = 1000

/** Events after which someone may have another role, or none. */
export const accessEvents: ReadonlySet<string> = new Set(['member', 'session', 'team', 'key', 'reconnected'])

/** Tells who sent a request by its key or its session; undefined when it shows neither. A wrong key is refused. */
export function createIdentifyCaller({ database, events, signIn, fixedKeyHash }: IdentifyOptions): IdentifyCaller {
  const known = new BriefMemory<Caller>(rememberKeyMs)
  // programs call many times a second; what a change of access concerns is looked up again at once
  events.subscribe(({ type }) => {
    if (accessEvents.has(type)) known.clear()
  })

  return async (headers, origin, audience) => {
    const authorization = headers.get('authorization')
    if (authorization !== null) {
      const token = /^Bearer ([\w-]{20,200})$/i.exec(authorization)?.[1]
      const caller = token?.startsWith(accessPrefix)
        ? audience && (await byToken(hashToken(token), origin, audience))
        : token && (await byKey(hashToken(token), origin))
      if (!caller) throw new CoherexError('unauthenticated', 'The API key is not valid')
      return caller
    }
    const found = await signIn.find(headers)
    return found && bySession(found, origin)
  }

  async function byKey(hash: string, origin: Origin): Promise<Caller | undefined> {
    const caller = await known.get(hash, () => (hash === fixedKeyHash ? byFixedKey(origin) : findByKey(hash, origin)))
    return caller && { ...caller, ...origin }
  }

  async function byToken(hash: string, origin: Origin, audience: string): Promise<Caller | undefined> {
    const caller = await known.get(`${audience} ${hash}`, () => findByToken(hash, origin, audience))
    return caller && { ...caller, ...origin }
  }

  /** A token stands for the key that a person granted with it. */
  async function findByToken(hash: string, origin: Origin, audience: string): Promise<Caller | undefined> {
    return database.transaction({ token: hash }, async (transaction) => {
      const [grant] = await transaction.select().from(oauthGrant).where(eq(oauthGrant.accessHash, hash))
      if (!grant?.accessExpiresAt || grant.accessExpiresAt < new Date() || grant.resource !== audience) return undefined
      await enterTeam(transaction, grant.teamId)
      const [key] = await transaction
        .select()
        .from(apiKey)
        .where(and(eq(apiKey.teamId, grant.teamId), eq(apiKey.id, grant.keyId)))
      return key && toCaller(transaction, key, origin)
    })
  }

  async function findByKey(hash: string, origin: Origin): Promise<Caller | undefined> {
    return database.transaction({ token: hash }, async (transaction) => {
      const [key] = await transaction.select().from(apiKey).where(eq(apiKey.tokenHash, hash))
      if (!key || (key.expiresAt && key.expiresAt < new Date())) return undefined
      await enterTeam(transaction, key.teamId)
      return toCaller(transaction, key, origin)
    })
  }

  async function byFixedKey(origin: Origin): Promise<Caller | undefined> {
    const owner = await findFirstOperator(database)
    if (!owner) return undefined
    const { setupDone, ...known } = owner
    const membership = await firstTeamOf(owner.id)
    return {
      ...origin,
      person: known,
      setupDone,
      ...membership,
      via: 'key',
      credentialId: 'COHEREX_TOKEN',
      scopes: allScopes,
    }
  }

  async function bySession(found: FoundSession, origin: Origin): Promise<Caller | undefined> {
    return database.transaction({ person: found.personId }, async (transaction) => {
      const [row] = await transaction
        .select({ person, activeTeamId: session.activeTeamId, lastSeenAt: session.updatedAt })
        .from(session)
        .innerJoin(person, eq(person.id, session.personId))
        .where(eq(session.id, found.id))
      if (!row) return undefined
      if (Date.now() - row.lastSeenAt.getTime() > lastUsedEveryMs) {
        await transaction.update(session).set({ updatedAt: new Date() }).where(eq(session.id, found.id))
      }
      const memberships = await transaction
        .select({ teamId: member.teamId, role: member.role })
        .from(member)
        .where(eq(member.personId, found.personId))
        .orderBy(asc(member.joinedAt), asc(member.teamId))
      // removed from the team they were in: on to the next of theirs
      const current = memberships.find((one) => one.teamId === row.activeTeamId) ?? memberships[0]
      return {
        ...origin,
        person: toPerson(row.person),
        setupDone: row.person.setupDone,
        teamId: current?.teamId ?? null,
        role: current?.role ?? null,
        via: 'session' as const,
        credentialId: found.id,
        scopes: allScopes,
      }
    })
  }

  async function firstTeamOf(personId: string): Promise<Pick<Caller, 'teamId' | 'role'>> {
    const [first] = await database.transaction({ person: personId }, (transaction) =>
      transaction
        .select({ teamId: member.teamId, role: member.role })
        .from(member)
        .where(eq(member.personId, personId))
        .orderBy(asc(member.joinedAt), asc(member.teamId))
        .limit(1),
    )
    return first ?? { teamId: null, role: null }
  }
}

async function findMember(transaction: Transaction, teamId: string, personId: string) {
  const [row] = await transaction
    .select({ person, role: member.role })
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
    .where(and(eq(member.teamId, teamId), eq(member.personId, personId)))
  return row
}

async function toCaller(
  transaction: Transaction,
  key: typeof apiKey.$inferSelect,
  origin: Origin,
): Promise<Caller | undefined> {
  const found = await findMember(transaction, key.teamId, key.personId)
  if (!found) return undefined
  if (!key.lastUsedAt || Date.now() - key.lastUsedAt.getTime() > lastUsedEveryMs) {
    await transaction
      .update(apiKey)
      .set({ lastUsedAt: new Date() })
      .where(and(eq(apiKey.teamId, key.teamId), eq(apiKey.id, key.id)))
  }
  return {
    ...origin,
    person: toPerson(found.person),
    setupDone: found.person.setupDone,
    teamId: key.teamId,
    role: found.role,
    via: 'key',
    credentialId: key.id,
    scopes: key.scopes,
  }
}
