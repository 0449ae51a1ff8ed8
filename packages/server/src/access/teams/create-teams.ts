import type { Invitation, Member, Page, Quotas, Role, Team } from '@coherex/contract'
import type { Blobs, Database, EventBus } from '../../base/index.ts'
import type { Caller, Origin, TeamCaller } from '../caller.ts'
import type { PageQuery } from '../cursor.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { invitationLetter } from '../sign-in/letters.ts'
import type { PassOnLink, SendMail } from '../sign-in/mail.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import {
  acceptInvitation,
  findInvitation,
  invite,
  listInvitations,
  revokeInvitation,
  type NewInvitation,
  type OpenInvitation,
} from './invitations.ts'
import { changeRole, listMembers, removeMember } from './members.ts'
import { countMembers, quotasOf, setQuotas } from './quotas.ts'
import { createTeam, getTeam, removeTeam, renameTeam } from './teams.ts'

export interface TeamsDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  blobs: Blobs
  keyRing: KeyRing
  signIn: SignIn
  sendMail: SendMail | undefined
  /** Where people reach the server; links are made from it. */
  publicUrl: string
}

/** Teams, who is in them, who is invited and what they may use. */
export function createTeams({ database, events, blobs, keyRing, signIn, sendMail, publicUrl }: TeamsDeps) {
  const changed = (teamId: string, type: 'team' | 'member' | 'invitation', id: string) =>
    events.publish({ teamId, type, id })

  return {
    create: (caller: Caller, name: string): Promise<Team> => createTeam(database, keyRing, caller, name),

    get: (teamId: string): Promise<Team> => getTeam(database, teamId),

    async rename(caller: TeamCaller, name: string): Promise<Team> {
      const team = await renameTeam(database, caller, name)
      await changed(caller.teamId, 'team', caller.teamId)
      return team
    },

    async remove(caller: TeamCaller, confirmedName: string): Promise<void> {
      await removeTeam({ database, blobs }, caller, confirmedName)
      await changed(caller.teamId, 'team', caller.teamId)
    },

    listMembers: (teamId: string, page: PageQuery): Promise<Page<Member>> => listMembers(database, teamId, page),

    async changeRole(caller: TeamCaller, personId: string, role: Role): Promise<Member> {
      const member = await changeRole(database, caller, personId, role)
      await changed(caller.teamId, 'member', personId)
      return member
    },

    async removeMember(caller: TeamCaller, personId: string): Promise<void> {
      await removeMember(database, caller, personId)
      await changed(caller.teamId, 'member', personId)
    },

    listInvitations: (teamId: string, page: PageQuery): Promise<Page<Invitation>> =>
      listInvitations(database, teamId, page),

    async invite(caller: TeamCaller, wanted: NewInvitation): Promise<PassOnLink & { invitation: Invitation }> {
      const { invitation, token } = await invite(database, caller, wanted)
      await changed(caller.teamId, 'invitation', invitation.id)
      const link = `${publicUrl}/invite/${token}`
      const { name } = await getTeam(database, caller.teamId)
      const mailed = (await sendMail?.(invitationLetter(wanted.email, caller.person.name, name, link))) ?? false
      return { invitation, link: mailed ? null : link, mailed, expiresAt: invitation.expiresAt }
    },

    async revokeInvitation(caller: TeamCaller, id: string): Promise<void> {
      await revokeInvitation(database, caller, id)
      await changed(caller.teamId, 'invitation', id)
    },

    findInvitation: (token: string): Promise<OpenInvitation> => findInvitation(database, token),

    /** Says who has joined. Someone who is new brings a name and a password. */
    async acceptInvitation(
      open: OpenInvitation,
      { origin, newcomer }: { origin: Origin; newcomer?: { name: string; password: string } },
    ): Promise<string> {
      const personId = await acceptInvitation(database, open, {
        origin,
        ...(newcomer && { name: newcomer.name, passwordHash: await signIn.hashPassword(newcomer.password) }),
      })
      await changed(open.teamId, 'member', personId)
      return personId
    },

    /** What a team may use, and how many are in it. */
    quotas: (teamId: string): Promise<{ limits: Quotas; members: number }> =>
      database.transaction({ team: teamId }, async (transaction) => ({
        limits: await quotasOf(transaction, teamId),
        members: await countMembers(transaction, teamId),
      })),

    async setQuotas(caller: TeamCaller, change: Partial<Quotas>): Promise<void> {
      await setQuotas(database, caller, change)
      await events.publish({ teamId: caller.teamId, type: 'quota', id: null })
    },
  }
}
