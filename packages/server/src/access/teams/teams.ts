import { CoherexError, type Team } from '@coherex/contract'
import { eq } from 'drizzle-orm'
import { createId, type Blobs, type Database, type Transaction } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Caller, TeamCaller } from '../caller.ts'
import { createTeamKey, type KeyRing } from '../secrets/key-ring.ts'
import { listTeamsOf } from '../sign-in/people.ts'
import { member, team } from '../tables.ts'

const teamsPerPerson = 20

/** Rows of a new team: the team, its owner and the key of its secrets. Runs in a transaction scoped to `teamId`. */
export async function addTeam(
  transaction: Transaction,
  { teamId, name, ownerId, keyRing }: { teamId: string; name: string; ownerId: string; keyRing: KeyRing },
): Promise<Team> {
  const [row] = await transaction.insert(team).values({ teamId, name }).returning()
  if (!row) throw new Error('the team was not stored')
  await transaction.insert(member).values({ teamId, personId: ownerId, role: 'owner' })
  await createTeamKey(transaction, keyRing, teamId)
  return toTeam(row)
}

export async function createTeam(database: Database, keyRing: KeyRing, caller: Caller, name: string): Promise<Team> {
  const mine = await listTeamsOf(database, caller.person.id)
  if (mine.length >= teamsPerPerson) {
    throw new CoherexError('quota_exceeded', `Cannot make another team: you are in ${mine.length} already`)
  }
  const teamId = createId('team')
  return database.transaction({ team: teamId, secrets: true }, async (transaction) => {
    const made = await addTeam(transaction, { teamId, name, ownerId: caller.person.id, keyRing })
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: 'team.create',
      target: { kind: 'team', id: teamId, name },
    })
    return made
  })
}

export async function getTeam(database: Database, teamId: string): Promise<Team> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction.select().from(team).where(eq(team.teamId, teamId))
    if (!row) throw new CoherexError('not_found', 'The team does not exist')
    return toTeam(row)
  })
}

export async function renameTeam(database: Database, caller: TeamCaller, name: string): Promise<Team> {
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction.update(team).set({ name }).where(eq(team.teamId, caller.teamId)).returning()
    if (!row) throw new CoherexError('not_found', 'The team does not exist')
    await recordAudit(transaction, {
      teamId: caller.teamId,
      actor: caller,
      action: 'team.rename',
      target: { kind: 'team', id: caller.teamId, name },
    })
    return toTeam(row)
  })
}

/** Deletes the team and, by cascade, every row it owns. */
export async function removeTeam(
  { database, blobs }: { database: Database; blobs: Blobs },
  caller: TeamCaller,
  confirmedName: string,
): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction.select().from(team).where(eq(team.teamId, caller.teamId))
    if (row?.name !== confirmedName) {
      throw new CoherexError('invalid_input', 'To delete the team, give its exact name', {
        details: [{ field: 'name' }],
      })
    }
    await transaction.delete(team).where(eq(team.teamId, caller.teamId))
  })
  await blobs.removeTeam(caller.teamId)
}

function toTeam(row: typeof team.$inferSelect): Team {
  return { id: row.teamId, name: row.name, createdAt: row.createdAt.toISOString() }
}
