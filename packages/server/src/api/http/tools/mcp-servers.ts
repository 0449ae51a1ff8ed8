import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { checkAccess, inTeam } from '../../../access/index.ts'
import { actFor } from '../../../base/index.ts'
import { clientMetadataOf } from '../../../tools/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import { originOf, type Env } from '../requests/request-context.ts'

const { mcpServers: route } = routes

export function mountMcpServers(app: Hono<Env>, api: Api): void {
  const { mcpServers } = api

  mount(app, api, route.list, async ({ caller }) => mcpServers.list(inTeam(caller).teamId))
  mount(app, api, route.add, async ({ body, caller }) => mcpServers.add(inTeam(caller), body))
  mount(app, api, route.get, async ({ params, caller }) => mcpServers.get(inTeam(caller).teamId, params.name))
  mount(app, api, route.change, async ({ params, body, caller }) =>
    mcpServers.move(inTeam(caller), params.name, body.place),
  )
  mount(app, api, route.remove, async ({ params, caller }) => mcpServers.remove(inTeam(caller), params.name))
  mount(app, api, route.refresh, async ({ params, caller }) => mcpServers.refresh(inTeam(caller), params.name))
  mount(app, api, route.connect, async ({ params, caller }) => mcpServers.connect(inTeam(caller), params.name))
  mount(app, api, route.tools, async ({ params, caller }) => mcpServers.tools(inTeam(caller).teamId, params.name))
  mount(app, api, route.approve, async ({ params, body, caller }) =>
    mcpServers.approve(inTeam(caller), params.name, body),
  )

  // who we are, for servers that read it instead of registering clients
  app.get('/oauth/client.json', (context) => {
    api.limitRate(`address ${context.get('clientAddress')}`)
    return context.json(clientMetadataOf(api.publicUrl))
  })

  // a page that a browser goes through on its way back from the other server
  app.get('/oauth/callback', async (context) => {
    api.limitRate(`address ${context.get('clientAddress')}`)
    const settings = '/settings/mcp-servers'
    try {
      const caller = await api.identifyCaller(context.get('headers'), originOf(context))
      if (!caller) return context.redirect('/sign-in')
      checkAccess(route.connect.access, caller)
      const given = new URL(context.req.url).searchParams
      const name = await actFor(caller.person.id, () => mcpServers.finishSignIn(inTeam(caller), given))
      return context.redirect(`${settings}?name=${name}`)
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      return context.redirect(`${settings}?failed=${encodeURIComponent(error.message)}`)
    }
  })
}
