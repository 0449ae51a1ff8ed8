import { CoherexError, hasRole, roles, type Invitation, type Page, type Role } from '@coherex/contract'
import { and, asc, eq, gt, notInArray, sql } from 'drizzle-orm'
import { createId, createToken, type Database, type Transaction } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Origin, TeamCaller } from '../caller.ts'
import { decodeCursor, takePage, type PageQuery } from '../cursor.ts'
import { hashToken } from '../hash-token.ts'
import { storePassword } from '../sign-in/passwords.ts'
import { createPerson } from '../sign-in/people.ts'
import { invitation, member, person, team } from '../tables.ts'
import { checkQuota, countMembers, quotasOf } from './quotas.ts'

const openDays = 7

export interface NewInvitation {
  email: string
  role: Role
}

/** Makes an invitation, replacing an open one for the same address. The token is not stored and told only now. */
export async function invite(
  database: Database,
  caller: TeamCaller,
  { email, role }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  if (!hasRole(caller.role, role))
    throw new CoherexError('forbidden', `Your role "${caller.role}" may not invite an "${role}"`)
  const token = createToken()
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    await refuseMember(transaction, caller.teamId, email)
    checkQuota(await quotasOf(transaction, caller.teamId), 'members', await countMembers(transaction, caller.teamId))
    await transaction.delete(invitation).where(and(eq(invitation.teamId, caller.teamId), eq(invitation.email, email)))
    const [row] = await transaction
      .insert(invitation)
      .values({
        teamId: caller.teamId,
        id: createId('invitation'),
        email,
        role,
        tokenHash: hashToken(token),
        invitedBy: caller.person.id,
        expiresAt: new Date(Date.now() + openDays * 86_400_000),
      })
      .returning()
    if (!row) throw new Error('the invitation was not stored')
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'invitation.create',
      target: { kind: 'invitation', id: row.id, name: email },
      details: { role },
    })
    return { invitation: toInvitation({ ...row, inviter: caller.person.name }), token }
  })
}

export async function listInvitations(
  database: Database,
  teamId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<Invitation>> {
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({
        id: invitation.id,
        email: invitation.email,
        role: invitation.role,
        createdAt: invitation.createdAt,
        expiresAt: invitation.expiresAt,
        inviter: person.name,
      })
      .from(invitation)
      .innerJoin(person, eq(person.id, invitation.invitedBy))
      .where(
        and(
          eq(invitation.teamId, teamId),
          gt(invitation.expiresAt, sql`now()`),
          after ? gt(invitation.id, after) : undefined,
        ),
      )
      .orderBy(asc(invitation.id))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.id])
  return { ...page, items: page.items.map(toInvitation) }
}

export async function revokeInvitation(database: Database, caller: TeamCaller, id: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(invitation)
      .where(and(eq(invitation.teamId, caller.teamId), eq(invitation.id, id)))
      .returning()
    if (!row) throw new CoherexError('not_found', 'There is no such invitation')
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'invitation.revoke',
      target: { kind: 'invitation', id, name: row.email },
    })
  })
}

export interface OpenInvitation {
  id: string
  teamId: string
  teamName: string
  email: string
  role: Role
  /** The person with that address, where there is one. */
  personId: string | null
}

/** The open invitation a token belongs to. Unknown, used and expired tokens are told apart by nobody. */
export async function findInvitation(database: Database, token: string): Promise<OpenInvitation> {
  const hash = hashToken(token)
  const found = await database.transaction({ token: hash }, async (transaction) => {
    const [row] = await transaction
      .select()
      .from(invitation)
      .where(and(eq(invitation.tokenHash, hash), gt(invitation.expiresAt, sql`now()`)))
    return row
  })
  if (!found) throw new CoherexError('not_found', 'This invitation is not valid any more: ask for a new one')
  return database.transaction({ team: found.teamId }, async (transaction) => {
    const [row] = await transaction.select({ name: team.name }).from(team).where(eq(team.teamId, found.teamId))
    const [known] = await transaction.select({ id: person.id }).from(person).where(eq(person.email, found.email))
    return {
      id: found.id,
      teamId: found.teamId,
      teamName: row?.name ?? '',
      email: found.email,
      role: found.role,
      personId: known?.id ?? null,
    }
  })
}

/** Makes the invited person a member, and the person too where they are new. The invitation is used up. */
export async function acceptInvitation(
  database: Database,
  open: OpenInvitation,
  { name, passwordHash, origin }: { name?: string; passwordHash?: string; origin: Origin },
): Promise<string> {
  return database.transaction({ team: open.teamId }, async (transaction) => {
    const used = await transaction
      .delete(invitation)
      .where(and(eq(invitation.teamId, open.teamId), eq(invitation.id, open.id)))
      .returning()
    // of two who use it at once, one gets it
    if (used.length === 0)
      throw new CoherexError('not_found', 'This invitation is not valid any more: ask for a new one')
    // locked, so that two who join at once do not both see the last free place
    await transaction.select({ id: team.teamId }).from(team).where(eq(team.teamId, open.teamId)).for('update')
    checkQuota(await quotasOf(transaction, open.teamId), 'members', await countMembers(transaction, open.teamId))
    const personId = open.personId ?? (await createPerson(transaction, { name: name ?? open.email, email: open.email }))
    if (passwordHash !== undefined) await storePassword(transaction, personId, passwordHash)
    await transaction.insert(member).values({ teamId: open.teamId, personId, role: open.role }).onConflictDoNothing()
    const [joined] = await transaction.select().from(person).where(eq(person.id, personId))
    await recordAudit(transaction, {
      teamId: open.teamId,
      actor: { kind: 'person', id: personId, name: joined?.name ?? open.email, ...origin },
      action: 'member.join',
      target: { kind: 'person', id: personId, name: joined?.name ?? null },
      details: { role: open.role },
    })
    return personId
  })
}

/** Takes back the open invitations of someone who may not give them any more: theirs would be a way back in. */
export async function withdrawInvitations(
  transaction: Transaction,
  { teamId, personId, role }: { teamId: string; personId: string; role: Role | null },
): Promise<number> {
  const kept = role && hasRole(role, 'admin') ? roles.filter((one) => hasRole(role, one)) : []
  const withdrawn = await transaction
    .delete(invitation)
    .where(
      and(
        eq(invitation.teamId, teamId),
        eq(invitation.invitedBy, personId),
        kept.length > 0 ? notInArray(invitation.role, kept) : undefined,
      ),
    )
    .returning({ id: invitation.id })
  return withdrawn.length
}

async function refuseMember(transaction: Transaction, teamId: string, email: string): Promise<void> {
  const [row] = await transaction
    .select({ id: member.personId })
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
    .where(and(eq(member.teamId, teamId), eq(person.email, email)))
  if (row) throw new CoherexError('conflict', `${email} is a member of this team already`)
}

function toInvitation(
  row: Pick<typeof invitation.$inferSelect, 'id' | 'email' | 'role' | 'createdAt' | 'expiresAt'> & { inviter: string },
): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.inviter,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
