import { CoherexError, type Person } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../base/index.ts'
import type { Caller, Origin, TeamCaller } from './caller.ts'
import { createOneTimeLink, useOneTimeLink } from './one-time-links.ts'
import { listTeamsOf } from './people.ts'
import { recordAudit } from './record-audit.ts'
import { endSessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import { member, person } from './tables.ts'

export interface PasswordRooms {
  database: Database
  signIn: SignIn
}

/** Changes one's own password and ends one's other sessions. */
export async function changePassword(
  { database, signIn }: PasswordRooms,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  if (!(await signIn.hasPassword(caller.person.id, currentPassword))) {
    throw new CoherexError('invalid_input', 'The current password is wrong', {
      details: [{ field: 'currentPassword' }],
    })
  }
  await signIn.setPassword(caller.person.id, newPassword)
  await endSessions(database, caller.person.id, caller.credentialId)
  await recordForPerson(database, { person: caller.person, origin: caller, action: 'password.change' })
}

/** Sets a password by link and ends every session. Says whose it was. */
export async function resetPassword(
  { database, signIn }: PasswordRooms,
  { token, password, origin }: { token: string; password: string; origin: Origin },
): Promise<string> {
  const personId = await useOneTimeLink(database, 'reset', token)
  await signIn.setPassword(personId, password)
  await endSessions(database, personId)
  const [row] = await database.transaction({}, (transaction) =>
    transaction.select().from(person).where(eq(person.id, personId)),
  )
  await recordForPerson(database, { person: { id: personId, name: row?.name ?? '' }, origin, action: 'password.reset' })
  return personId
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
  const link = await createOneTimeLink(database, 'reset', personId)
  await database.transaction({ team: caller.teamId }, (transaction) =>
    recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'password.reset-link',
      target: { kind: 'person', id: personId, name: target.person.name },
    }),
  )
  return { ...link, email: target.person.email, name: target.person.name }
}

/** What concerns a person is in the log of each of their teams. */
export async function recordForPerson(
  database: Database,
  {
    person: who,
    origin,
    action,
    details,
  }: { person: Pick<Person, 'id' | 'name'>; origin: Origin; action: string; details?: Record<string, unknown> },
): Promise<void> {
  const { id, name } = who
  for (const team of await listTeamsOf(database, id)) {
    await database.transaction({ team: team.id }, (transaction) =>
      recordAudit(transaction, {
        teamId: team.id,
        actor: { kind: 'person', id, name, ip: origin.ip, requestId: origin.requestId },
        action,
        target: { kind: 'person', id, name },
        details: details ?? {},
      }),
    )
  }
}
