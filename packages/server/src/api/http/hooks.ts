import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { createRateLimiter } from '../../access/index.ts'
import type { Api } from './api.ts'
import { readBytes } from './read-body.ts'
import type { Env } from './request-context.ts'

const largestBody = 1024 * 1024
// bodies in memory at once: a sender is told to come again rather than the server run out
const mostAtOnce = 64
// GitHub and others send in bursts; what is beyond is asked to come later
const perHook = { burst: 1_000, perSecond: 200 }

/**
 * Where senders of webhooks post. It takes no session and no key: the address finds the trigger, and the signature lets
 * the sender in. Unlike routes of the API it has limits of its own, because one address sends for many.
 */
export function mountHooks(app: Hono<Env>, api: Api): void {
  const { agents } = api
  const limitRate = createRateLimiter(perHook)
  let underWay = 0

  app.post(routes.triggers.hook.path.replace(/\{(\w+)\}/, ':$1'), async (context) => {
    if (underWay >= mostAtOnce) {
      throw new CoherexError('quota_exceeded', 'Too many webhooks at once: send it again', { retryAfterSeconds: 1 })
    }
    underWay++
    try {
      const token = context.req.param('hook') ?? ''
      const hook = /^[\w-]{20,64}$/.test(token) ? await agents.triggers.findHook(token) : undefined
      if (!hook) {
        // addresses cannot be tried without end
        api.limitRate(`address ${context.get('clientAddress')}`)
        throw new CoherexError('not_found', 'There is nothing at this address')
      }
      limitRate(hook.kind === 'wake' ? hook.wake.id : hook.trigger.id)
      const body = await readBytes(context, largestBody)
      const { headersDistinct } = context.env.incoming
      const answer = await agents.triggers.receive(hook, {
        header: (name) => headersDistinct[name] ?? [],
        contentType: (context.req.header('content-type') ?? 'application/octet-stream').slice(0, 200),
        body,
      })
      if ('challenge' in answer) return context.json({ challenge: answer.challenge })
      return context.json({ id: answer.id }, answer.isNew ? 202 : 200)
    } finally {
      underWay--
    }
  })
}
