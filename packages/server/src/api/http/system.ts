import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { schemaOfDefinition } from '../../registry/index.ts'
import type { Api } from '../api.ts'
import { mountOidc } from './access/oidc.ts'
import { renderDocsPage } from './answers/docs-page.ts'
import { createOpenApi } from './answers/openapi.ts'
import { mount } from './mount.ts'
import type { Env } from './requests/request-context.ts'

export function mountSystem(app: Hono<Env>, api: Api): void {
  let made: ReturnType<typeof createOpenApi> | undefined
  // not before someone asks: it takes a tenth of a second, and every start would wait for it
  const openApi = () => (made ??= createOpenApi(api.version))
  mount(app, api, routes.system.health, async () => api.health())
  mount(app, api, routes.system.openapi, async () => openApi())
  mount(app, api, routes.system.schema, async ({ params }) => schemaOfDefinition(params.kind))
  app.get('/api/docs', (context) => context.html(renderDocsPage(openApi())))
  mountOidc(app, api)
}
