import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { secrets: route } = routes

export function mountSecrets(app: Hono<Env>, api: Api): void {
  const { secrets } = api.access

  mount(app, api, route.list, async ({ query, caller }) => secrets.list(inTeam(caller).teamId, query))

  mount(app, api, route.put, async ({ params, body, caller }) =>
    secrets.put(inTeam(caller), { name: params.name, value: body.value }),
  )

  mount(app, api, route.remove, async ({ params, caller }) => secrets.remove(inTeam(caller), params.name))
}
