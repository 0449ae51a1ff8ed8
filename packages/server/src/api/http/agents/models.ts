import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { models: route } = routes

export function mountModels(app: Hono<Env>, api: Api): void {
  const { models, help } = api

  mount(app, api, route.list, async ({ caller }) => models.choices(inTeam(caller).teamId))

  mount(app, api, route.setDefault, async ({ body, caller }) => models.setDefault(inTeam(caller), body.model))
  mount(app, api, route.setEmbedding, async ({ body, caller }) => models.setEmbedding(inTeam(caller), body.model))

  mount(app, api, route.check, async ({ body, caller }) => models.check(inTeam(caller).teamId, body.provider))

  mount(app, api, route.suggest, async ({ body, caller, context }) =>
    help.suggest(inTeam(caller), body, context.req.raw.signal),
  )
  mount(app, api, route.assist, async ({ body, caller, context }) =>
    help.assist(inTeam(caller), body, context.req.raw.signal),
  )
}
