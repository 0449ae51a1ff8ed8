import { CoherexError } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Caller, Origin, TeamCaller } from '../caller.ts'
import { account, member, person } from '../tables.ts'
import { createOneTimeLink, useOneTimeLink } from './one-time-links.ts'
import { listTeamsOf } from './people.ts'
import { recordForPerson } from './record-for-person.ts'
import { endSessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'

export interface PasswordDeps {
  database: Database
  signIn: SignIn
}

export interface PasswordChange {
  currentPassword: string
  newPassword: string
}

/** Keeps a password where better-auth looks for it, in a transaction with whatever else changes. */
export async function storePassword(transaction: Transaction, personId: string, hash: string): Promise<void> {
  const id = createId('session')
  await transaction
    .insert(account)
    .values({ id, personId, accountId: personId, providerId: 'credential', password: hash })
    .onConflictDoUpdate({
      target: [account.providerId, account.accountId],
      set: { password: hash, updatedAt: new Date() },
    })
}

/** Changes one's own password and ends one's other sessions. */
export async function changePassword(
  { database, signIn }: PasswordDeps,
  caller: Caller,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  if (!(await signIn.hasPassword(caller.person.id, currentPassword))) {
    throw new CoherexError('invalid_input', 'The current password is wrong', {
      details: [{ field: 'currentPassword' }],
    })
  }
  const hash = await signIn.hashPassword(newPassword)
  await database.transaction({}, async (transaction) => {
    await storePassword(transaction, caller.person.id, hash)
    await endSessions(transaction, caller.person.id, caller.credentialId)
    await recordForPerson(transaction, { person: caller.person, origin: caller, action: 'password.change' })
  })
}

/** Sets a password by link and ends every session. Says whose it was. */
export async function resetPassword(
  { database, signIn }: PasswordDeps,
  { token, password, origin }: { token: string; password: string; origin: Origin },
): Promise<string> {
  return database.transaction({}, async (transaction) => {
    const personId = await useOneTimeLink(transaction, 'reset', token)
    // after the link: without one, nobody has us work out a hash
    await storePassword(transaction, personId, await signIn.hashPassword(password))
    await endSessions(transaction, personId)
    const [row] = await transaction.select().from(person).where(eq(person.id, personId))
    const who = { id: personId, name: row?.name ?? '' }
    await recordForPerson(transaction, { person: who, origin, action: 'password.reset' })
    return personId
  })
}

/**
 * A reset link for an admin to pass on. Whoever holds it becomes that person everywhere, so it is made only for someone
 * whose every team is this one, and who is no operator.
 */
export async function createMemberResetLink(database: Database, caller: TeamCaller, personId: string) {
  const target = await database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction
      .select({ person, role: member.role })
      .from(member)
      .innerJoin(person, eq(person.id, member.personId))
      .where(and(eq(member.teamId, caller.teamId), eq(member.personId, personId)))
    return row
  })
  if (!target) throw new CoherexError('not_found', 'There is no such member in this team')
  const teams = await listTeamsOf(database, personId)
  if (teams.length !== 1 || target.person.operator || (target.role === 'owner' && caller.role !== 'owner')) {
    throw new CoherexError('forbidden', 'Only an operator of this installation can reset this person’s password')
  }
  const link = await database.transaction({ team: caller.teamId }, async (transaction) => {
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'password.reset-link',
      target: { kind: 'person', id: personId, name: target.person.name },
    })
    return createOneTimeLink(transaction, 'reset', personId)
  })
  return { ...link, email: target.person.email, name: target.person.name }
}
