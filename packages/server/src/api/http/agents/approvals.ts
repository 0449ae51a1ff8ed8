import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { listApprovals, readApproval, readTeamRules, setTeamRules } from '../../../agents/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { approvals: route } = routes

export function mountApprovals(app: Hono<Env>, api: Api): void {
  const { database, agents } = api
  const rulesOf = async (teamId: string) => ({
    rules: await database.transaction({ team: teamId }, (transaction) => readTeamRules(transaction, teamId)),
  })

  mount(app, api, route.list, async ({ query, caller }) => listApprovals(database, inTeam(caller).teamId, query))

  // before the one that takes an id
  mount(app, api, route.rules, async ({ caller }) => rulesOf(inTeam(caller).teamId))

  mount(app, api, route.setRules, async ({ body, caller }) => {
    const team = inTeam(caller)
    await setTeamRules(database, team, body.rules)
    return rulesOf(team.teamId)
  })

  mount(app, api, route.get, async ({ params, caller }) => readApproval(database, inTeam(caller).teamId, params.id))

  mount(app, api, route.decide, async ({ params, body, caller }) => agents.decide(inTeam(caller), params.id, body))
}
