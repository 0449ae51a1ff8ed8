import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { EgressError } from '../egress-error.ts'
import { findRoute, type Route, type RouteOptions } from '../route.ts'
import type { EgressRules } from '../rules.ts'
import { type Dial, dialRoute } from './dial.ts'

export interface ConnectionOptions extends RouteOptions {
  dial: Dial
  /** Certificates to trust instead of those Node brings, in PEM. */
  ca?: string
}

/** How long connecting may take: name, TCP and TLS together. */
export interface Attempt {
  signal: AbortSignal
  deadline: number
}

export function beginAttempt({ limits }: EgressRules, signal: AbortSignal): Attempt {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)]),
    deadline: performance.now() + limits.connectMs,
  }
}

/** A plain or TLS connection to a checked address of the URL's host. */
export async function openConnection(
  url: URL,
  rules: EgressRules,
  options: ConnectionOptions & { signal: AbortSignal },
): Promise<Socket> {
  const attempt = beginAttempt(rules, options.signal)
  const route = await findRoute(url, rules, { ...options, ...attempt })
  const { socket } = await connectTo(url, route, { ...options, ...attempt })
  return socket
}

/** Connects to one of the addresses, and says to which. */
export async function connectTo(
  { protocol }: URL,
  route: Route,
  { dial, ca, signal, deadline }: Pick<ConnectionOptions, 'dial' | 'ca'> & Attempt,
): Promise<{ socket: Socket; address: string }> {
  const { socket, address } = await dialRoute(route, dial, { signal, deadline })
  if (protocol !== 'https:') return { socket, address }
  return { socket: await secure(socket, { host: route.host, ca, signal }), address }
}

function secure(
  socket: Socket,
  { host, ca, signal }: { host: string; ca: string | undefined; signal: AbortSignal },
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = host.replace(/\.$/, '')
    const tls = connectTls({
      socket,
      host: name,
      ...(isIP(name) === 0 && { servername: name }),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca }),
    })
    const fail = (why: string, error: Error) => {
      signal.removeEventListener('abort', abort)
      tls.destroy()
      socket.destroy()
      reject(new EgressError('FETCH_FAILED', 'connect', `Cannot connect to "${host}": ${why}`, error))
    }
    const abort = () => fail('the TLS handshake took too long', new Error('aborted'))
    const failed = (error: Error) =>
      fail(isCertificateError(error) ? 'its certificate is not valid' : 'TLS failed', error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    tls.once('error', failed)
    tls.once('secureConnect', () => {
      signal.removeEventListener('abort', abort)
      tls.removeListener('error', failed)
      tls.on('error', () => {})
      resolve(tls)
    })
  })
}

function isCertificateError(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)
}
