import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { variables: route } = routes

/** Environment variables of workspaces, agents and tools. */
export function mountVariables(app: Hono<Env>, api: Api): void {
  const { variables } = api

  mount(app, api, route.list, async ({ query, caller }) => variables.listAll(inTeam(caller).teamId, query))

  mount(app, api, route.listOfWorkspace, async ({ params, caller }) => ({
    items: await variables.list(inTeam(caller).teamId, { workspace: params.id }),
  }))
  mount(app, api, route.putOfWorkspace, async ({ params, body, caller }) =>
    variables.put(inTeam(caller), { workspace: params.id }, { name: params.variable, value: body.value }),
  )
  mount(app, api, route.removeOfWorkspace, async ({ params, caller }) =>
    variables.remove(inTeam(caller), { workspace: params.id }, params.variable),
  )

  mount(app, api, route.listOfAgent, async ({ params, caller }) => ({
    items: await variables.list(inTeam(caller).teamId, { agent: params.name }),
  }))
  mount(app, api, route.putOfAgent, async ({ params, body, caller }) =>
    variables.put(inTeam(caller), { agent: params.name }, { name: params.variable, value: body.value }),
  )
  mount(app, api, route.removeOfAgent, async ({ params, caller }) =>
    variables.remove(inTeam(caller), { agent: params.name }, params.variable),
  )

  mount(app, api, route.listOfTool, async ({ params, caller }) => ({
    items: await variables.list(inTeam(caller).teamId, { tool: params.name }),
  }))
  mount(app, api, route.putOfTool, async ({ params, body, caller }) =>
    variables.put(inTeam(caller), { tool: params.name }, { name: params.variable, value: body.value }),
  )
  mount(app, api, route.removeOfTool, async ({ params, caller }) =>
    variables.remove(inTeam(caller), { tool: params.name }, params.variable),
  )
}
