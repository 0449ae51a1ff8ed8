import type { Socket } from 'node:net'
import { parseUrl } from '../addresses/url-prefix.ts'
import { EgressError } from '../egress-error.ts'
import { checkTunnel, type EgressRules } from '../rules.ts'
import { asEgressError } from './exchange.ts'
import { type ConnectionOptions, openConnection } from './open-connection.ts'

/** TCP to a checked address of the host, for whoever speaks TLS through it: only host and port are seen by the rules. */
export async function openTunnel(
  { host, port }: { host: string; port: number },
  rules: EgressRules,
  options: ConnectionOptions & { signal: AbortSignal },
): Promise<Socket> {
  const bare = host.replace(/^\[[0-9a-f:.]+\]$/i, '')
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || host === '' || /[/?#:@]/.test(bare)) {
    const shown = JSON.stringify(host.slice(0, 200))
    throw new EgressError('URL_NOT_ALLOWED', 'bad-url', `Cannot connect to ${shown}: not a host and port`)
  }
  const url = parseUrl(`https://${host}:${port}`)
  checkTunnel(url, rules)
  // http: so that the connection is plain TCP; the tunnel's user brings the TLS
  const tcp = new URL(`http://${url.hostname}:${port}`)
  try {
    return await openConnection(tcp, rules, options)
  } catch (error) {
    throw asEgressError(error, { callerSignal: options.signal, total: options.signal })
  }
}
