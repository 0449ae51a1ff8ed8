import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam, type Caller } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'

const { workspaces: route } = routes

export function mountWorkspaces(app: Hono<Env>, api: Api): void {
  const { workspaces } = api
  const makerOf = (caller: Caller) => ({ teamId: inTeam(caller).teamId, actor: caller })

  mount(app, api, route.create, async ({ body, caller, context }) =>
    workspaces.create({ ...makerOf(caller), author: authorOf(caller, context) }, body),
  )

  mount(app, api, route.openScratch, async ({ caller, context }) =>
    workspaces.openScratch({ ...makerOf(caller), author: authorOf(caller, context) }, caller.person.id),
  )

  mount(app, api, route.list, async ({ query, caller }) =>
    workspaces.list(inTeam(caller).teamId, { ...query, archived: query.archived === 'true' }),
  )

  mount(app, api, route.get, async ({ params, caller }) => workspaces.get(inTeam(caller).teamId, params.id))

  mount(app, api, route.update, async ({ params, body, caller }) => workspaces.update(makerOf(caller), params.id, body))

  mount(app, api, route.remove, async ({ params, caller }) => workspaces.remove(makerOf(caller), params.id))
}
