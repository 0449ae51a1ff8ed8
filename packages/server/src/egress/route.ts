import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canonicalAddress, isPublicAddress, isTranslationOf } from './addresses/address.ts'
import { hostOf, type HostPort } from './addresses/host-port.ts'
import { refusedPorts } from './addresses/refused-ports.ts'
import type { ResolveHost } from './addresses/resolve-host.ts'
import { portOf } from './addresses/url-prefix.ts'
import { EgressError } from './egress-error.ts'
import type { EgressRules } from './rules.ts'

export interface RouteOptions {
  /** Doors on private networks that the operator opened to teams. */
  allowPrivate: readonly HostPort[]
  /** Where this server itself listens: never reached through the guard. */
  ownListeners: readonly HostPort[]
  resolveHost: ResolveHost
}

/** Checked addresses of a URL's host. The connection goes to one of these and to nothing else. */
export interface Route {
  host: string
  port: number
  addresses: string[]
}

const addressesTried = 4

/** Decides where a URL leads, once. Resolving again later could give another answer, so nobody does. */
export async function findRoute(
  url: URL,
  rules: EgressRules,
  options: RouteOptions & { signal: AbortSignal },
): Promise<Route> {
  const { allowPrivate, ownListeners, resolveHost, signal } = options
  const host = hostOf(url.hostname)
  const port = portOf(url)
  const isListed = (name: string) => allowPrivate.some((door) => door.port === port && door.host === name)
  const isOwn = (name: string) => isOwnListener(name, port, ownListeners)

  if (rules.addresses === 'any') {
    const addresses = isIP(host) ? [host] : await resolveHost(host, { system: true, signal })
    if (addresses.length === 0) throw nowhere(url, 'no-address')
    return { host, port, addresses: addresses.slice(0, addressesTried) }
  }

  const refusal = refuseByName(url, rules, options)
  if (refusal) throw refusal
  const machine = ownAddresses()
  const isOwnDoor = (address: string) =>
    (machine.has(address) || isThisMachine(address)) && ownListeners.some((door) => door.port === port)
  const mayReach = (address: string) => {
    const canonical = canonicalAddress(address)
    if (isOwn(canonical) || isOwnDoor(canonical)) return false
    if (isListed(host) || isListed(canonical)) return true
    return isPublicAddress(address) && !machine.has(canonical)
  }

  const literal = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  if (isIP(literal)) {
    if (!mayReach(literal)) throw refuse(url, 'private-address', 'the address is not on the public internet')
    return { host, port, addresses: [host] }
  }

  const beside = await findBeside(host, port, rules, options)
  if (beside) return { host, port, addresses: beside.slice(0, addressesTried) }
  const found = (await resolveHost(host, { system: isListed(host), signal })).filter((address) => isIP(address) !== 0)
  const addresses = found.filter(mayReach)
  // A name with one address inside is set up to reach it, so its other addresses are refused with it.
  const isInside = found.some((address) => !mayReach(address) && !isTranslationOf(address, addresses))
  // The same answer for a name that does not exist and for one inside: the difference would be a map of the network.
  if (addresses.length === 0 || isInside) throw nowhere(url, found.length === 0 ? 'no-address' : 'private-address')
  return { host, port, addresses: addresses.slice(0, addressesTried) }
}

/** Addresses of a name that all are those of a door of the operator's, by the machine's own names; undefined otherwise. */
async function findBeside(
  host: string,
  port: number,
  { beside = [] }: EgressRules,
  { resolveHost, ownListeners, signal }: RouteOptions & { signal: AbortSignal },
): Promise<string[] | undefined> {
  const system = { system: true, signal }
  for (const door of beside) {
    if (door.port !== port || ownListeners.some((own) => own.port === port)) continue
    const at = isIP(door.host) ? [door.host] : await resolveHost(door.host, system)
    const addresses = await resolveHost(host, system)
    if (addresses.length > 0 && addresses.every((address) => at.includes(address))) return addresses
  }
  return undefined
}

/** What is refused whatever a name server says: this server, ports of other protocols, names of this machine. */
export function refuseByName(
  url: URL,
  { ports }: Pick<EgressRules, 'ports'>,
  { allowPrivate, ownListeners }: Pick<RouteOptions, 'allowPrivate' | 'ownListeners'>,
): EgressError | undefined {
  const host = hostOf(url.hostname)
  const port = portOf(url)
  const isListed = allowPrivate.some((door) => door.port === port && door.host === host)
  if (isOwnListener(host, port, ownListeners)) return refuse(url, 'own-listener', 'it is this server')
  if (ports === 'web' && refusedPorts.has(port) && !isListed) return refuse(url, 'port', `port ${port} is not for HTTP`)
  if (isLocalName(host) && !isListed) return refuse(url, 'private-address', 'the name is not on the public internet')
  return undefined
}

function refuse(url: URL, reason: 'port' | 'own-listener' | 'private-address', why: string): EgressError {
  return new EgressError('URL_NOT_ALLOWED', reason, `Cannot fetch "${url.origin}": ${why}`)
}

function isOwnListener(name: string, port: number, ownListeners: readonly HostPort[]): boolean {
  return ownListeners.some((door) => door.port === port && withoutDot(hostOf(door.host)) === withoutDot(name))
}

function nowhere(url: URL, reason: 'no-address' | 'private-address'): EgressError {
  const message = `Cannot fetch "${url.origin}": host "${url.hostname}" has no address that may be reached`
  return new EgressError('FETCH_FAILED', reason, message)
}

// to the DNS a name with a dot at its end is the same name
function withoutDot(name: string): string {
  return name.replace(/\.$/, '')
}

function isLocalName(host: string): boolean {
  const name = withoutDot(host)
  return name === 'localhost' || name.endsWith('.localhost')
}

// All of 127.0.0.0/8, and the addresses that mean "any": connecting to them arrives at loopback.
function isThisMachine(address: string): boolean {
  return address.startsWith('127.') || address.startsWith('0.') || address === '::1' || address === '::'
}

// A machine's public address leads to itself, past whatever stands before it.
function ownAddresses(): Set<string> {
  try {
    const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    return new Set(all.map(({ address }) => canonicalAddress(address.split('%')[0] ?? address)))
  } catch {
    // some containers may not list their interfaces; private and loopback addresses are refused without the list
    return new Set()
  }
}
