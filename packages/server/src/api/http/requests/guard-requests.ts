import { isIP } from 'node:net'
import { CoherexError } from '@coherex/contract'
import type { MiddlewareHandler } from 'hono'
import type { Env } from './request-context.ts'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What tells who sent a request: a page names itself by `origin`, a program comes with a key. */
export interface SenderHeaders {
  host?: string | undefined
  origin?: string | undefined
  cookie?: string | undefined
  authorization?: string | undefined
}

// there is one such address, and every request is held against it
let known: { url: string; host: string; origin: string } | undefined

function partsOf(publicUrl: string): { host: string; origin: string } {
  if (known?.url !== publicUrl) {
    const { host, origin } = new URL(publicUrl)
    known = { url: publicUrl, host, origin }
  }
  return known
}

/**
 * Whether a Host header may name this server. A name that an attacker points at us (DNS rebinding) is none of ours;
 * an address cannot be pointed anywhere.
 */
export function isOurHost(host: string | undefined, publicUrl: string): boolean {
  if (!host) return false
  if (host === partsOf(publicUrl).host) return true
  const name = host.replace(/:\d+$/, '')
  return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** Whether an Origin header names a page of ours. */
export function isOurOrigin(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  const ours = partsOf(publicUrl)
  if (origin === ours.origin) return true
  // whoever sits in the network can write pages of http://our-name, and none of https://our-name
  if (host === ours.host) return false
  return origin === `http://${host}` || origin === `https://${host}`
}

/**
 * Whether a request that could change something comes from a page of ours or from a program. Every browser names its page
 * in such a request and in one for a socket, so a cookie alone proves nothing; a key needs no page.
 */
export function isOurRequest({ host, origin, cookie, authorization }: SenderHeaders, publicUrl: string): boolean {
  if (origin === undefined) return !cookie || authorization !== undefined
  return isOurOrigin(origin, host, publicUrl)
}

export function mayChange(method: string | undefined): boolean {
  return !harmless.has(method ?? '')
}

/** Refuses foreign hosts always, and foreign pages where a request could change something. */
export function guardRequests(publicUrl: string): MiddlewareHandler<Env> {
  return async (context, next) => {
    const host = context.req.header('host')
    if (!isOurHost(host, publicUrl)) {
      throw new CoherexError('forbidden', 'This server does not answer to that host name: set COHEREX_PUBLIC_URL')
    }
    if (mayChange(context.req.method)) {
      const crossSite = ['cross-site', 'same-site'].includes(context.req.header('sec-fetch-site') ?? '')
      if (crossSite || !isOurRequest(context.env.incoming.headers, publicUrl)) {
        throw new CoherexError('forbidden', 'Requests from other sites are refused')
      }
    }
    await next()
  }
}
