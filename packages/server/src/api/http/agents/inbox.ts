import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { inbox: route } = routes

export function mountInbox(app: Hono<Env>, api: Api): void {
  const { inbox } = api

  mount(app, api, route.list, async ({ query, caller }) => inbox.list(inTeam(caller), query))
  mount(app, api, route.count, async ({ caller }) => inbox.count(inTeam(caller)))
  mount(app, api, route.dismiss, async ({ params, caller }) => inbox.dismiss(inTeam(caller), params.id))
}
