import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { shares: route } = routes

export function mountShares(app: Hono<Env>, api: Api): void {
  const { shares } = api

  mount(app, api, route.create, async ({ body, caller }) => shares.create(inTeam(caller), body))

  mount(app, api, route.list, async ({ query, caller }) => shares.list(inTeam(caller), query))

  mount(app, api, route.gallery, async ({ query, caller }) => shares.gallery(inTeam(caller).teamId, query))

  mount(app, api, route.content, async ({ params, query, caller }) =>
    shares.content(inTeam(caller).teamId, params.id, query.version),
  )

  mount(app, api, route.open, async ({ params, query }) => shares.open(params.token, query.version))

  mount(app, api, route.revoke, async ({ params, caller }) => shares.revoke(inTeam(caller), params.id))
}
