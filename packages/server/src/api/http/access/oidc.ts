import type { Hono } from 'hono'
import type { Api } from '../../api.ts'
import type { Env } from '../requests/request-context.ts'
import { addCookies, welcome } from './welcome.ts'

/** The way to the company's sign-in and back: pages that a browser goes through, not operations of the API. */
export function mountOidc(app: Hono<Env>, api: Api): void {
  if (!api.oidc) return
  const failed = (reason: string) => `/sign-in?failed=${reason}`

  app.get('/api/v1/sign-in/oidc', async (context) => {
    api.limitRate(`address ${context.get('clientAddress')}`)
    try {
      const { url, cookies } = await api.signIn.startOidc(context.get('headers'))
      addCookies(context, cookies)
      return context.redirect(url)
    } catch (error) {
      api.log.error({ error }, 'single sign-on could not begin')
      return context.redirect(failed('provider'))
    }
  })

  app.get('/api/auth/callback/oidc', async (context) => {
    api.limitRate(`address ${context.get('clientAddress')}`)
    const { cookies, failure } = await api.signIn.finishOidc(context.req.url, context.get('headers'))
    if (failure) {
      addCookies(context, cookies)
      return context.redirect(failed(failure))
    }
    await welcome(api, context, { cookies, how: 'oidc' })
    return context.redirect('/')
  })
}
