import type { MiddlewareHandler } from 'hono'
import { runtimeFrames } from './runtime-frames.ts'
import { sharedPageOf } from './shared-pages.ts'

// Base UI positions popups with style attributes, which only 'unsafe-inline' allows
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
]
const contentSecurityPolicy = [...pagePolicy, "frame-ancestors 'none'"].join('; ')

/**
 * A shared page has no origin: it holds no cookie, no storage and no right of who looks at it. Links open in a window that does.
 */
const sharedPolicy = [...pagePolicy, 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'].join('; ')

interface Framing {
  policy: string
  /** Who may hold it in a frame. */
  heldBy: 'nobody' | 'us' | 'anyone'
  isWithoutOrigin: boolean
}

/** The one place where it is decided what an address may do, and who may hold it in a frame. */
function framingOf(path: string): Framing {
  const frame = Object.hasOwn(runtimeFrames, path) ? runtimeFrames[path] : undefined
  if (frame) return { policy: frame.policy, heldBy: frame.isForAll ? 'anyone' : 'us', isWithoutOrigin: true }
  const shared = sharedPageOf(path)
  if (shared === 'embed') return { policy: sharedPolicy, heldBy: 'anyone', isWithoutOrigin: true }
  if (shared) return { policy: `${sharedPolicy}; frame-ancestors 'none'`, heldBy: 'nobody', isWithoutOrigin: true }
  return { policy: contentSecurityPolicy, heldBy: 'nobody', isWithoutOrigin: false }
}

const frameOptions = { nobody: 'DENY', us: 'SAMEORIGIN' } as const

/** What pages without an origin read: files of the studio, which are the same for all, and what a share shows. */
const readByAll = /^\/(assets\/|theme\.js$|api\/v1\/shared\/)/

export function securityHeaders(publicUrl: string): MiddlewareHandler {
  const https = publicUrl.startsWith('https:')
  return async (context, next) => {
    await next()
    const { path } = context.req
    const { headers } = context.res
    const { policy, heldBy, isWithoutOrigin } = framingOf(path)
    headers.set('content-security-policy', policy)
    headers.set('x-content-type-options', 'nosniff')
    if (heldBy !== 'anyone') headers.set('x-frame-options', frameOptions[heldBy])
    // a frame within such a frame has the peer connections that were taken from it: a browser that knows this refuses them to both
    if (Object.hasOwn(runtimeFrames, path)) headers.set('connection-allowlist', '()')
    if (isWithoutOrigin) headers.set('x-dns-prefetch-control', 'off')
    headers.set('referrer-policy', 'no-referrer')
    // a page cannot have a group of windows for itself and be sandboxed
    headers.set('cross-origin-opener-policy', sharedPageOf(path) ? 'unsafe-none' : 'same-origin')
    headers.set(
      'cross-origin-resource-policy',
      heldBy === 'anyone' || path === '/theme.js' ? 'cross-origin' : 'same-origin',
    )
    // never with credentials: what is read this way is the same for everybody
    if (readByAll.test(path)) headers.set('access-control-allow-origin', '*')
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    if (https) headers.set('strict-transport-security', 'max-age=31536000')
    if (path.startsWith('/api/') && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
  }
}
