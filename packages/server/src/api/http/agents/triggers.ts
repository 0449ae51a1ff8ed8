import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { triggers: route } = routes

export function mountTriggers(app: Hono<Env>, api: Api): void {
  const { triggers } = api

  mount(app, api, route.list, async ({ params, caller }) => ({
    items: await triggers.list(inTeam(caller).teamId, { agentName: params.name }),
  }))

  mount(app, api, route.test, async ({ params, body, caller }) =>
    triggers.test(inTeam(caller), { target: { agentName: params.name }, triggerId: params.id, ...body }),
  )

  mount(app, api, route.makeSecret, async ({ params, body, caller }) =>
    triggers.makeSecret(inTeam(caller), { target: { agentName: params.name }, triggerId: params.id, ...body }),
  )

  mount(app, api, route.ofTool, async ({ params, caller }) => ({
    items: await triggers.list(inTeam(caller).teamId, { toolName: params.name }),
  }))

  mount(app, api, route.testOfTool, async ({ params, body, caller }) =>
    triggers.test(inTeam(caller), { target: { toolName: params.name }, triggerId: params.id, ...body }),
  )

  mount(app, api, route.makeSecretOfTool, async ({ params, body, caller }) =>
    triggers.makeSecret(inTeam(caller), { target: { toolName: params.name }, triggerId: params.id, ...body }),
  )

  mount(app, api, route.schedule, async ({ query }) => ({ next: triggers.previewSchedule(query) }))

  mount(app, api, route.deliveries, async ({ params, query, caller }) =>
    triggers.listDeliveries(inTeam(caller).teamId, { ...query, agent: params.name }),
  )

  mount(app, api, route.allDeliveries, async ({ query, caller }) =>
    triggers.listDeliveries(inTeam(caller).teamId, query),
  )

  mount(app, api, route.delivery, async ({ params, caller }) => triggers.readDelivery(inTeam(caller).teamId, params.id))

  mount(app, api, route.redeliver, async ({ params, caller }) => triggers.redeliver(inTeam(caller), params.id))
}
