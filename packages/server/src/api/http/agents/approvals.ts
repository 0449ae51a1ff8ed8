import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { approvals: route } = routes

export function mountApprovals(app: Hono<Env>, api: Api): void {
  const { approvals } = api.agents

  mount(app, api, route.list, async ({ query, caller }) => approvals.list(inTeam(caller).teamId, query))

  // before the one that takes an id
  mount(app, api, route.rules, async ({ caller }) => ({ rules: await approvals.rules(inTeam(caller).teamId) }))

  mount(app, api, route.setRules, async ({ body, caller }) => {
    const team = inTeam(caller)
    await approvals.setRules(team, body.rules)
    return { rules: await approvals.rules(team.teamId) }
  })

  mount(app, api, route.get, async ({ params, caller }) => approvals.get(inTeam(caller).teamId, params.id))

  mount(app, api, route.ofThread, async ({ params, caller }) => ({
    items: await approvals.ofThread(inTeam(caller), params.id),
  }))

  mount(app, api, route.withdraw, async ({ params, caller }) =>
    approvals.withdraw(inTeam(caller), { threadId: params.id, approvalId: params.approvalId }),
  )
  mount(app, api, route.change, async ({ params, caller }) => approvals.change(inTeam(caller).teamId, params.id))

  mount(app, api, route.decide, async ({ params, body, caller }) => approvals.decide(inTeam(caller), params.id, body))
}
