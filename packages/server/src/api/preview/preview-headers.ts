import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { hopByHopHeaders } from '../../egress/index.ts'

/** Ours, or of other pages: a guest hears nothing of who looks at its page, and never a credential. */
const notForGuests = new Set<string>([
  ...hopByHopHeaders,
  'cookie',
  'authorization',
  'host',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
])

/** What a guest must not tell a browser in our name. */
const notFromGuests = new Set<string>([
  ...hopByHopHeaders,
  'set-cookie',
  'set-cookie2',
  'clear-site-data',
  'strict-transport-security',
  'alt-svc',
  'service-worker-allowed',
  'www-authenticate',
  'report-to',
  'reporting-endpoints',
  'nel',
  'x-frame-options',
  'referrer-policy',
  'cache-control',
  'expires',
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'permissions-policy',
])

/** Without `allow-same-origin`: the page has an origin of its own that nobody shares, so neither cookies nor our API are its. */
const sandboxPolicy =
  "sandbox allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-pointer-lock; frame-ancestors 'self'"

export function toGuestHeaders(
  headers: IncomingHttpHeaders,
  { port, prefix }: { port: number; prefix: string },
): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(
    ([name, value]) =>
      value !== undefined &&
      !notForGuests.has(name) &&
      !name.startsWith('x-forwarded-') &&
      !name.startsWith('sec-fetch-'),
  )
  // as it is, because pages are changed on their way
  return {
    ...Object.fromEntries(passed),
    'accept-encoding': 'identity',
    host: `localhost:${port}`,
    'x-forwarded-prefix': prefix,
  }
}

export function toBrowserHeaders(
  headers: IncomingHttpHeaders,
  { port, prefix, origin }: { port: number; prefix: string; origin: string | undefined },
): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !notFromGuests.has(name) && !name.startsWith('access-control-'),
  )
  const kept: OutgoingHttpHeaders = Object.fromEntries(passed)
  if (isPlainHtml(headers)) delete kept['content-length']
  if (headers.location !== undefined) kept.location = rewriteLocation(headers.location, { port, prefix })
  const own = headers['content-security-policy']
  return {
    ...kept,
    // both bind: a guest can only narrow it
    'content-security-policy': own === undefined ? sandboxPolicy : [sandboxPolicy, own].flat().join(', '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-robots-tag': 'noindex',
    ...corsHeaders(origin),
  }
}

/** Whether an answer is a page that can be read on its way. */
export function isPlainHtml(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' && /^text\/html\b/i.test(headers['content-type'] ?? '')
}

/** A page without an origin asks its own server as a stranger would; its address is what lets it in. */
export function corsHeaders(origin: string | undefined): OutgoingHttpHeaders {
  if (origin !== 'null') return {}
  return {
    'access-control-allow-origin': 'null',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': '*',
    vary: 'origin',
  }
}

/** Redirects of a server that knows nothing of the address it is seen at. */
function rewriteLocation(location: string, { port, prefix }: { port: number; prefix: string }): string {
  const own = new RegExp(`^https?://(localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0)(:${port})?(?=/|$)`)
  const path = location.replace(own, '')
  return path.startsWith('/') && !path.startsWith('//') ? `${prefix}${path}` : location
}
