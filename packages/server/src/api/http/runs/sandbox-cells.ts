import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { sandboxes: route } = routes

/** The notebooks of sandboxes. */
export function mountSandboxCells(app: Hono<Env>, api: Api): void {
  const { notebooks } = api
  mount(app, api, route.listCells, async ({ params, caller }) => notebooks.list(inTeam(caller).teamId, params.id))
  mount(app, api, route.createCell, async ({ params, body, caller }) =>
    notebooks.create(inTeam(caller), params.id, body),
  )
  mount(app, api, route.changeCell, async ({ params, body, caller }) => notebooks.change(inTeam(caller), params, body))
  mount(app, api, route.removeCell, async ({ params, caller }) => notebooks.remove(inTeam(caller), params))
  mount(app, api, route.clearCells, async ({ params, caller }) => notebooks.clear(inTeam(caller), params.id))
}
