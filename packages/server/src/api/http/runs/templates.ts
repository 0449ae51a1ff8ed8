import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { templates: route } = routes

/** Ready-made beginnings of sandboxes. */
export function mountTemplates(app: Hono<Env>, api: Api): void {
  const { templates } = api
  mount(app, api, route.build, async ({ body, caller }) => api.buildTemplate(inTeam(caller), body))
  mount(app, api, route.list, async ({ query, caller }) => templates.list(inTeam(caller).teamId, query))
  mount(app, api, route.get, async ({ params, caller }) => templates.get(inTeam(caller).teamId, params.name))
  mount(app, api, route.remove, async ({ params, caller }) => templates.remove(inTeam(caller), params.name))
}
