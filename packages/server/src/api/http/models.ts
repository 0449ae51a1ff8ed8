import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../access/index.ts'
import type { Api } from './api.ts'
import { mount } from './mount.ts'
import type { Env } from './request-context.ts'

const { models: route } = routes

export function mountModels(app: Hono<Env>, api: Api): void {
  const { agents, events } = api

  mount(app, api, route.list, async ({ caller }) => agents.modelChoices(inTeam(caller).teamId))

  mount(app, api, route.setDefault, async ({ body, caller }) => {
    const team = inTeam(caller)
    await agents.setDefaultModel(team, body.model)
    await events.publish({ teamId: team.teamId, type: 'model', id: null })
    return agents.modelChoices(team.teamId)
  })

  mount(app, api, route.check, async ({ body, caller }) => agents.models.check(inTeam(caller).teamId, body.provider))
}
