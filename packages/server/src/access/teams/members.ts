import { CoherexError, hasRole, type Member, type Page, type Role } from '@coherex/contract'
import { and, asc, count, eq, gt } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { TeamCaller } from '../caller.ts'
import { decodeCursor, takePage, type PageQuery } from '../cursor.ts'
import { member, person } from '../tables.ts'
import { withdrawInvitations } from './invitations.ts'

export async function listMembers(
  database: Database,
  teamId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<Member>> {
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    selectMembers(transaction)
      .where(and(eq(member.teamId, teamId), after ? gt(member.personId, after) : undefined))
      .orderBy(asc(member.personId))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.personId])
  return { ...page, items: page.items.map(toMember) }
}

export async function changeRole(
  database: Database,
  caller: TeamCaller,
  personId: string,
  role: Role,
): Promise<Member> {
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const before = await lockMember(transaction, caller.teamId, personId)
    // an admin neither makes nor unmakes an owner
    if (!hasRole(caller.role, role) || !hasRole(caller.role, before.role)) {
      throw new CoherexError('forbidden', `Your role "${caller.role}" may not change "${before.role}" to "${role}"`)
    }
    if (before.role === 'owner' && role !== 'owner') await refuseWithoutOwner(transaction, caller.teamId)
    await transaction
      .update(member)
      .set({ role })
      .where(and(eq(member.teamId, caller.teamId), eq(member.personId, personId)))
    const invitationsWithdrawn = await withdrawInvitations(transaction, { teamId: caller.teamId, personId, role })
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'member.role',
      target: { kind: 'person', id: personId, name: before.name },
      details: { before: before.role, after: role, ...(invitationsWithdrawn ? { invitationsWithdrawn } : {}) },
    })
    return toMember({ ...before, role })
  })
}

/** A member by id; undefined when the team has none such. */
export async function findMember(
  transaction: Transaction,
  teamId: string,
  personId: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await selectMembers(transaction).where(and(eq(member.teamId, teamId), eq(member.personId, personId)))
  return row && { id: row.personId, name: row.name }
}

export async function findMemberByEmail(
  transaction: Transaction,
  teamId: string,
  email: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await selectMembers(transaction).where(
    and(eq(member.teamId, teamId), eq(person.email, email.toLowerCase())),
  )
  return row && { id: row.personId, name: row.name }
}

/** Ends a membership. Everyone may leave; removing another takes an admin of at least their rank. */
export async function removeMember(database: Database, caller: TeamCaller, personId: string): Promise<void> {
  const leaving = personId === caller.person.id
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const before = await lockMember(transaction, caller.teamId, personId)
    if (!leaving && (!hasRole(caller.role, 'admin') || !hasRole(caller.role, before.role))) {
      throw new CoherexError('forbidden', `Your role "${caller.role}" may not remove this member`)
    }
    if (before.role === 'owner') await refuseWithoutOwner(transaction, caller.teamId)
    await transaction.delete(member).where(and(eq(member.teamId, caller.teamId), eq(member.personId, personId)))
    const invitationsWithdrawn = await withdrawInvitations(transaction, { teamId: caller.teamId, personId, role: null })
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: leaving ? 'member.leave' : 'member.remove',
      target: { kind: 'person', id: personId, name: before.name },
      details: invitationsWithdrawn ? { invitationsWithdrawn } : {},
    })
  })
}

function selectMembers(transaction: Transaction) {
  return transaction
    .select({
      personId: member.personId,
      name: person.name,
      email: person.email,
      role: member.role,
      joinedAt: member.joinedAt,
    })
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
}

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]

/** Locked, so that two owners who leave at once do not both see the other one stay. */
async function lockMember(transaction: Transaction, teamId: string, personId: string): Promise<MemberRow> {
  await transaction.select({ id: member.personId }).from(member).where(eq(member.teamId, teamId)).for('update')
  const [row] = await selectMembers(transaction).where(and(eq(member.teamId, teamId), eq(member.personId, personId)))
  if (!row) throw new CoherexError('not_found', 'There is no such member in this team')
  return row
}

async function refuseWithoutOwner(transaction: Transaction, teamId: string): Promise<void> {
  const [row] = await transaction
    .select({ owners: count() })
    .from(member)
    .where(and(eq(member.teamId, teamId), eq(member.role, 'owner')))
  if ((row?.owners ?? 0) < 2)
    throw new CoherexError('conflict', 'The team needs an owner: make someone else owner first')
}

function toMember(row: MemberRow): Member {
  return {
    person: { id: row.personId, name: row.name, email: row.email },
    role: row.role,
    joinedAt: row.joinedAt.toISOString(),
  }
}
