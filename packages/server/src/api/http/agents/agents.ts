import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { parseDefinition, schemaOfDefinition } from '../../../registry/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { agents: route } = routes

export function mountAgents(app: Hono<Env>, api: Api): void {
  const { agents } = api.registry
  const { describe, templates, generate } = api.agents

  mount(app, api, route.schema, async () => schemaOfDefinition('agent'))

  mount(app, api, route.templates, async ({ caller }) => ({ items: await templates(inTeam(caller).teamId) }))

  mount(app, api, route.validate, async ({ body, caller }) => {
    const { definition, problems } = parseDefinition(body.source)
    if (!definition) return { valid: false, problems, needs: [] }
    return { valid: true, problems, needs: await agents.findNeeds(inTeam(caller).teamId, definition), definition }
  })

  mount(app, api, route.generate, async ({ body, caller, context }) =>
    generate(inTeam(caller), { ...body, signal: context.req.raw.signal }),
  )

  mount(app, api, route.create, async ({ body, caller }) => {
    const team = inTeam(caller)
    return describe(team.teamId, await agents.create(team, body))
  })

  mount(app, api, route.list, async ({ query, caller }) => agents.list(inTeam(caller).teamId, query))

  mount(app, api, route.get, async ({ params, caller }) => {
    const { teamId } = inTeam(caller)
    return describe(teamId, await agents.get(teamId, params.name))
  })

  mount(app, api, route.put, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    return describe(team.teamId, await agents.put(team, params.name, body))
  })

  mount(app, api, route.change, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    if ('owner' in body) await agents.setOwner(team, params.name, body.owner)
    else if ('reach' in body) await agents.setReach(team, params.name, body.reach)
    else await agents.setStatus(team, params.name, body)
    return describe(team.teamId, await agents.get(team.teamId, params.name))
  })

  mount(app, api, route.remove, async ({ params, caller }) => agents.remove(inTeam(caller), params.name))

  mount(app, api, route.versions, async ({ params, query, caller }) =>
    agents.versions(inTeam(caller).teamId, params.name, query),
  )

  mount(app, api, route.version, async ({ params, caller }) => agents.version(inTeam(caller).teamId, params))

  mount(app, api, route.diff, async ({ params, query, caller }) => ({
    diff: await agents.diff(inTeam(caller).teamId, params.name, query),
  }))

  mount(app, api, route.rollback, async ({ params, caller }) => {
    const team = inTeam(caller)
    return describe(team.teamId, await agents.restore(team, params))
  })

  mount(app, api, route.proposals, async ({ params, caller }) => ({
    items: await agents.proposals(inTeam(caller).teamId, params.name),
  }))

  mount(app, api, route.decide, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    return describe(team.teamId, await agents.decide(team, params, body))
  })
}
