import { CoherexError, routes } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { createRateLimiter } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { readBytes } from '../requests/read-body.ts'
import type { Env } from '../requests/request-context.ts'

const largestBody = 1024 * 1024
// bodies in memory at once, in all and of one address: a sender is told to come again rather than the server run out, and
// one that sends slowly keeps no others out
const mostAtOnce = 96
const mostOfHook = 48
const bodyDeadlineMs = 15_000
// GitHub and others send in bursts; what is beyond is asked to come later
const perHook = { burst: 1_000, perSecond: 200 }

/**
 * Where senders of webhooks post. It takes no session and no key: the address finds the trigger, and the signature lets
 * the sender in. Unlike routes of the API it has limits of its own, because one address sends for many.
 */
export function mountHooks(app: Hono<Env>, api: Api): void {
  const { triggers } = api
  const limitRate = createRateLimiter(perHook)
  const underWay = new Map<string, number>()
  let all = 0

  app.post(routes.triggers.hook.path.replace(/\{(\w+)\}/, ':$1'), async (context) => {
    const token = context.req.param('hook') ?? ''
    const own = underWay.get(token) ?? 0
    if (all >= mostAtOnce || own >= mostOfHook) {
      throw new CoherexError('quota_exceeded', 'Too many webhooks at once: send it again', { retryAfterSeconds: 1 })
    }
    all++
    underWay.set(token, own + 1)
    try {
      return await take(context, token)
    } finally {
      all--
      const left = (underWay.get(token) ?? 1) - 1
      if (left > 0) underWay.set(token, left)
      else underWay.delete(token)
    }
  })

  async function take(context: Context<Env>, token: string): Promise<Response> {
    const hook = /^[\w-]{20,64}$/.test(token) ? await triggers.findHook(token) : undefined
    if (!hook) {
      // addresses cannot be tried without end
      api.limitRate(`address ${context.get('clientAddress')}`)
      throw new CoherexError('not_found', 'There is nothing at this address')
    }
    limitRate(hook.kind === 'wake' ? hook.wake.id : hook.trigger.id)
    const body = await inTime(readBytes(context, largestBody))
    const { headersDistinct } = context.env.incoming
    const answer = await triggers.receive(hook, {
      header: (name) => headersDistinct[name] ?? [],
      contentType: (context.req.header('content-type') ?? 'application/octet-stream').slice(0, 200),
      body,
    })
    if ('challenge' in answer) return context.json({ challenge: answer.challenge })
    return context.json({ id: answer.id }, answer.isNew ? 202 : 200)
  }
}

async function inTime(reading: Promise<Buffer>): Promise<Buffer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new CoherexError('invalid_input', 'The body took too long to come')),
    bodyDeadlineMs,
  )
  // when it was too late, nobody waits for what becomes of it
  reading.catch(() => undefined)
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}
