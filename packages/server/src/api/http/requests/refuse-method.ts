import { CoherexError } from '@coherex/contract'
import type { Handler, Hono } from 'hono'
import type { Env } from './request-context.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Stands behind all routes: where one of them takes another method at this address, it says which. Which routes there are is no secret,
 * `/api/v1/openapi.json` tells anyone; so nobody is asked who they are.
 */
export function refuseMethod(app: Hono<Env>): Handler<Env> {
  return (context, next) => {
    const { method, path } = context.req
    const allowed = methods
      .filter((one) => isServed(app, one, path))
      .flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : one))
    if (allowed.length === 0) return next()
    const allow = allowed.join(', ')
    context.header('allow', allow)
    throw new CoherexError('method_not_allowed', `Cannot use ${method} at this address: allowed are ${allow}`)
  }
}

/** By a route of its own: the studio's pages are at every address. */
function isServed(app: Hono<Env>, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path)
  return matches.some(([[, route]]) => route.method === method && route.path !== '/*')
}
