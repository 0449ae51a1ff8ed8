import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

export function mountSearch(app: Hono<Env>, api: Api): void {
  mount(app, api, routes.search.find, async ({ query, caller }) => api.search.find(inTeam(caller), query))
}
