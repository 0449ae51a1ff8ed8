import { CoherexError, hasScope, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { createApiKey, inTeam, listApiKeys, revokeApiKey } from '../../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { keys: route } = routes

export function mountKeys(app: Hono<Env>, api: Api): void {
  const { database, events } = api

  mount(app, api, route.list, async ({ query, caller }) => listApiKeys(database, inTeam(caller), query))

  mount(app, api, route.create, async ({ body, caller }) => {
    const beyond = body.scopes.find((scope) => !hasScope(caller.scopes, scope))
    if (beyond) throw new CoherexError('forbidden', `This API key lacks the scope "${beyond}" itself`)
    const key = await createApiKey(database, inTeam(caller), body)
    await events.publish({ teamId: caller.teamId, type: 'key', id: key.id })
    return key
  })

  mount(app, api, route.revoke, async ({ params, caller }) => {
    await revokeApiKey(database, inTeam(caller), params.id)
    await events.publish({ teamId: caller.teamId, type: 'key', id: params.id })
  })
}
