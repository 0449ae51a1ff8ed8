import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import { originOf, type Env } from '../requests/request-context.ts'
import { describeSignedIn } from './describe-signed-in.ts'
import { welcome } from './welcome.ts'

const { teams: route } = routes

export function mountTeams(app: Hono<Env>, api: Api): void {
  const { teams } = api.access

  mount(app, api, route.create, async ({ body, caller }) => teams.create(caller, body.name))
  mount(app, api, route.current, async ({ caller }) => teams.get(inTeam(caller).teamId))
  mount(app, api, route.rename, async ({ body, caller }) => teams.rename(inTeam(caller), body.name))
  mount(app, api, route.remove, async ({ query, caller }) => teams.remove(inTeam(caller), query.name))

  mount(app, api, route.listMembers, async ({ query, caller }) => teams.listMembers(inTeam(caller).teamId, query))

  mount(app, api, route.changeRole, async ({ params, body, caller }) =>
    teams.changeRole(inTeam(caller), params.personId, body.role),
  )

  mount(app, api, route.removeMember, async ({ params, caller }) => teams.removeMember(inTeam(caller), params.personId))

  mount(app, api, route.listInvitations, async ({ query, caller }) =>
    teams.listInvitations(inTeam(caller).teamId, query),
  )

  mount(app, api, route.invite, async ({ body, caller }) => teams.invite(inTeam(caller), body))

  mount(app, api, route.revokeInvitation, async ({ params, caller }) =>
    teams.revokeInvitation(inTeam(caller), params.id),
  )

  mount(app, api, route.previewInvitation, async ({ body }) => {
    const { teamName, email, role, personId } = await teams.findInvitation(body.token)
    return { teamName, email, role, personExists: personId !== null }
  })

  mount(app, api, route.acceptInvitation, async ({ body, context }) => {
    const open = await teams.findInvitation(body.token)
    const headers = context.get('headers')
    const origin = originOf(context)
    if (open.personId) {
      const caller = await api.identifyCaller(headers, origin)
      if (caller?.person.id !== open.personId || caller.via !== 'session') {
        throw new CoherexError('unauthenticated', `Sign in as ${open.email} to accept this invitation`)
      }
      await teams.acceptInvitation(open, { origin })
      return describeSignedIn(api, headers, origin)
    }
    const { name, password } = body
    if (!name || !password) {
      throw new CoherexError('invalid_input', 'Choose a name and a password', {
        details: [{ field: name ? 'password' : 'name', message: 'is needed' }],
      })
    }
    const personId = await teams.acceptInvitation(open, { origin, newcomer: { name, password } })
    return welcome(api, context, { cookies: await api.signIn.as(personId, headers), how: 'invitation' })
  })

  const usage = async (teamId: string) => {
    const { limits, members } = await teams.quotas(teamId)
    return { limits, used: { members, ...(await api.runs.usage(teamId)), ...(await api.agents.usage(teamId)) } }
  }

  mount(app, api, route.quotas, async ({ caller }) => usage(inTeam(caller).teamId))

  mount(app, api, route.setQuotas, async ({ body, caller }) => {
    await teams.setQuotas(inTeam(caller), body)
    return usage(inTeam(caller).teamId)
  })
}
