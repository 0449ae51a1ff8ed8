import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import type { Api } from './api.ts'
import { renderDocsPage } from './docs-page.ts'
import { mount } from './mount.ts'
import { createOpenApi } from './openapi.ts'
import type { Env } from './request-context.ts'

export function mountSystem(app: Hono<Env>, api: Api): void {
  const openApi = createOpenApi(api.version)
  mount(app, api, routes.system.health, async () => api.health())
  mount(app, api, routes.system.openapi, async () => openApi)
  app.get('/api/docs', (context) => context.html(renderDocsPage(openApi)))

  // the provider sends people here and back: pages, not operations of the API
  app.get('/api/v1/sign-in/oidc', async (context) => {
    if (!api.oidc) return context.notFound()
    const { url, cookies } = await api.signIn.startOidc(context.get('headers'))
    for (const cookie of cookies) context.header('set-cookie', cookie, { append: true })
    return context.redirect(url)
  })
  app.get('/api/auth/callback/oidc', (context) =>
    api.oidc ? api.signIn.oidcCallback(context.req.raw) : context.notFound(),
  )
}
