import { CoherexError, type Me, type Person } from '@coherex/contract'
import { asc, eq } from 'drizzle-orm'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import type { Caller } from '../caller.ts'
import { member, person, team } from '../tables.ts'

/** Adds someone who can sign in once they have a password or come through OIDC. */
export async function createPerson(
  transaction: Transaction,
  {
    name,
    email,
    operator = false,
    setupDone = true,
  }: { name: string; email: string; operator?: boolean; setupDone?: boolean },
): Promise<string> {
  const id = createId('person')
  const added = await transaction
    .insert(person)
    .values({ id, name, email, operator, setupDone })
    .onConflictDoNothing()
    .returning({ id: person.id })
  if (added.length === 0) throw new CoherexError('conflict', `Someone with the e-mail ${email} exists already`)
  return id
}

export async function findPersonByEmail(database: Database, email: string): Promise<Person | undefined> {
  return database.transaction({}, async (transaction) => {
    const [row] = await transaction.select().from(person).where(eq(person.email, email))
    return row && toPerson(row)
  })
}

export async function renamePerson(transaction: Transaction, personId: string, name: string): Promise<void> {
  await transaction.update(person).set({ name, updatedAt: new Date() }).where(eq(person.id, personId))
}

/** The first operator: who the installation belongs to. */
export async function findFirstOperator(database: Database): Promise<(Person & { setupDone: boolean }) | undefined> {
  return database.transaction({}, async (transaction) => {
    const rows = await transaction
      .select()
      .from(person)
      .where(eq(person.operator, true))
      .orderBy(asc(person.createdAt), asc(person.id))
      .limit(1)
    return rows[0] && { ...toPerson(rows[0]), setupDone: rows[0].setupDone }
  })
}

/** Teams a person is in, oldest membership first. */
export function listTeamsOf(database: Database, personId: string) {
  return database.transaction({ person: personId }, (transaction) => selectTeamsOf(transaction, personId))
}

/** The same, in a transaction in the scope of the person. */
export function selectTeamsOf(transaction: Transaction, personId: string) {
  return transaction
    .select({ id: team.teamId, name: team.name, createdAt: team.createdAt, role: member.role })
    .from(member)
    .innerJoin(team, eq(team.teamId, member.teamId))
    .where(eq(member.personId, personId))
    .orderBy(asc(member.joinedAt), asc(member.teamId))
}

/** What the caller sees of themselves. */
export async function describeMe(database: Database, caller: Caller): Promise<Me> {
  const teams = (await listTeamsOf(database, caller.person.id)).map((one) => ({
    ...one,
    createdAt: one.createdAt.toISOString(),
  }))
  // a key knows of its own team only
  const visible = caller.via === 'key' ? teams.filter((one) => one.id === caller.teamId) : teams
  const current = visible.find((one) => one.id === caller.teamId)
  return {
    person: caller.person,
    team: current ? { id: current.id, name: current.name, createdAt: current.createdAt } : null,
    role: caller.role,
    teams: visible,
    setupDone: caller.setupDone,
    via: caller.via,
    scopes: [...caller.scopes],
  }
}

export function toPerson(row: typeof person.$inferSelect): Person {
  return { id: row.id, name: row.name, email: row.email, operator: row.operator }
}
