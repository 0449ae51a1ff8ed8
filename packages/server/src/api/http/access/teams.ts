import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import {
  acceptInvitation,
  changeRole,
  countMembers,
  createTeam,
  findInvitation,
  getTeam,
  inTeam,
  invite,
  listInvitations,
  listMembers,
  quotasOf,
  removeMember,
  removeTeam,
  renameTeam,
  revokeInvitation,
  setQuotas,
} from '../../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import { originOf, type Env } from '../requests/request-context.ts'
import { describeSignedIn } from './describe-signed-in.ts'
import { welcome } from './welcome.ts'

const { teams: route } = routes

export function mountTeams(app: Hono<Env>, api: Api): void {
  const { database, events, keyRing, signIn } = api

  mount(app, api, route.create, async ({ body, caller }) => createTeam(database, keyRing, caller, body.name))

  mount(app, api, route.current, async ({ caller }) => getTeam(database, inTeam(caller).teamId))

  mount(app, api, route.rename, async ({ body, caller }) => {
    const team = await renameTeam(database, inTeam(caller), body.name)
    await events.publish({ teamId: team.id, type: 'team', id: team.id })
    return team
  })

  mount(app, api, route.remove, async ({ query, caller }) => {
    const { teamId } = inTeam(caller)
    await removeTeam(api, inTeam(caller), query.name)
    await events.publish({ teamId, type: 'team', id: teamId })
  })

  mount(app, api, route.listMembers, async ({ query, caller }) => listMembers(database, inTeam(caller).teamId, query))

  mount(app, api, route.changeRole, async ({ params, body, caller }) => {
    const member = await changeRole(database, inTeam(caller), params.personId, body.role)
    await events.publish({ teamId: caller.teamId, type: 'member', id: params.personId })
    return member
  })

  mount(app, api, route.removeMember, async ({ params, caller }) => {
    await removeMember(database, inTeam(caller), params.personId)
    await events.publish({ teamId: caller.teamId, type: 'member', id: params.personId })
  })

  mount(app, api, route.listInvitations, async ({ query, caller }) =>
    listInvitations(database, inTeam(caller).teamId, query),
  )

  mount(app, api, route.invite, async ({ body, caller }) => {
    const { invitation, token } = await invite(database, inTeam(caller), body)
    const link = `${api.publicUrl}/invite/${token}`
    const { name } = await getTeam(database, inTeam(caller).teamId)
    const mailed = (await api.sendMail?.(invitationLetter(body.email, caller.person.name, name, link))) ?? false
    await events.publish({ teamId: caller.teamId, type: 'invitation', id: invitation.id })
    return { invitation, link: mailed ? null : link, mailed, expiresAt: invitation.expiresAt }
  })

  mount(app, api, route.revokeInvitation, async ({ params, caller }) => {
    await revokeInvitation(database, inTeam(caller), params.id)
    await events.publish({ teamId: caller.teamId, type: 'invitation', id: params.id })
  })

  mount(app, api, route.previewInvitation, async ({ body }) => {
    const { teamName, email, role, personId } = await findInvitation(database, body.token)
    return { teamName, email, role, personExists: personId !== null }
  })

  mount(app, api, route.acceptInvitation, async ({ body, context }) => {
    const open = await findInvitation(database, body.token)
    const headers = context.get('headers')
    const origin = originOf(context)
    if (open.personId) {
      const caller = await api.identifyCaller(headers, origin)
      if (caller?.person.id !== open.personId || caller.via !== 'session') {
        throw new CoherexError('unauthenticated', `Sign in as ${open.email} to accept this invitation`)
      }
      await acceptInvitation(database, open, { origin })
      await events.publish({ teamId: open.teamId, type: 'member', id: open.personId })
      return describeSignedIn(api, headers, origin)
    }
    if (!body.name || !body.password) {
      throw new CoherexError('invalid_input', 'Choose a name and a password', {
        details: [{ field: body.name ? 'password' : 'name', message: 'is needed' }],
      })
    }
    const passwordHash = await signIn.hashPassword(body.password)
    const personId = await acceptInvitation(database, open, { name: body.name, passwordHash, origin })
    const cookies = await signIn.as(personId, headers)
    await events.publish({ teamId: open.teamId, type: 'member', id: personId })
    return welcome(api, context, { cookies, how: 'invitation' })
  })

  const usage = async (teamId: string) => {
    const { limits, members } = await database.transaction({ team: teamId }, async (transaction) => ({
      limits: await quotasOf(transaction, teamId),
      members: await countMembers(transaction, teamId),
    }))
    return { limits, used: { members, ...(await api.runs.usage(teamId)), ...(await api.agents.usage(teamId)) } }
  }

  mount(app, api, route.quotas, async ({ caller }) => usage(inTeam(caller).teamId))

  mount(app, api, route.setQuotas, async ({ body, caller }) => {
    await setQuotas(database, inTeam(caller), body)
    await events.publish({ teamId: caller.teamId, type: 'quota', id: null })
    return usage(inTeam(caller).teamId)
  })
}

function invitationLetter(to: string, inviter: string, team: string, link: string) {
  return {
    to,
    subject: `${inviter} invites you to ${team} on Coherex`,
    text: `Hello,\n\n${inviter} invites you to the team "${team}" on Coherex. Join within seven days:\n\n${link}\n`,
  }
}
