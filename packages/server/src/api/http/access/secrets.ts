import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam, listSecrets, putSecret, removeSecret } from '../../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { secrets: route } = routes

export function mountSecrets(app: Hono<Env>, api: Api): void {
  const { database, events } = api

  mount(app, api, route.list, async ({ query, caller }) => listSecrets(database, inTeam(caller).teamId, query))

  mount(app, api, route.put, async ({ params, body, caller }) => {
    const secret = await putSecret(api, inTeam(caller), { name: params.name, value: body.value })
    await events.publish({ teamId: caller.teamId, type: 'secret', id: secret.id })
    return secret
  })

  mount(app, api, route.remove, async ({ params, caller }) => {
    await removeSecret(database, inTeam(caller), params.name)
    await events.publish({ teamId: caller.teamId, type: 'secret', id: null })
  })
}
