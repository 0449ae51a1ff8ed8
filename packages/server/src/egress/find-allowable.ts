import { isIP } from 'node:net'
import { isPublicAddress } from './addresses/address.ts'
import { hostOf } from './addresses/host-port.ts'
import { parseUrl } from './addresses/url-prefix.ts'
import { EgressError } from './egress-error.ts'
import { refuseByName, type RouteOptions } from './route.ts'

// what the root of the public DNS does not have: names of homes, offices and clusters
const innerNames = new Set(
  'corp example home home.arpa internal intranet invalid lan local localdomain localhost onion private test'.split(' '),
)

/**
 * The prefix of a URL's origin, if a team's rules with it could reach the place. The URL is what a guest asked for: only a plain public
 * name or address comes through, in the parser's spelling, and no name server hears of it.
 */
export function findAllowable(
  text: string,
  options: Pick<RouteOptions, 'allowPrivate' | 'ownListeners'>,
): string | undefined {
  try {
    const url = parseUrl(text)
    const host = hostOf(url.hostname)
    if (isIP(host) ? !isPublicAddress(host) : !isPublicName(host)) return undefined
    return refuseByName(url, { ports: 'web' }, options) ? undefined : `${url.origin}/`
  } catch (error) {
    if (error instanceof EgressError) return undefined
    throw error
  }
}

function isPublicName(host: string): boolean {
  const labels = host.split('.')
  if (host.length > 253 || labels.length < 2) return false
  if (!labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return false
  return !innerNames.has(labels.slice(-1).join('.')) && !innerNames.has(labels.slice(-2).join('.'))
}
