import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { keys: route } = routes

export function mountKeys(app: Hono<Env>, api: Api): void {
  const { keys } = api.access

  mount(app, api, route.list, async ({ query, caller }) => keys.list(inTeam(caller), query))
  mount(app, api, route.create, async ({ body, caller }) => keys.create(inTeam(caller), body))
  mount(app, api, route.revoke, async ({ params, caller }) => keys.revoke(inTeam(caller), params.id))
}
