import type { HostPort } from './addresses/host-port.ts'
import { createResolveHost, type ResolveHost } from './addresses/resolve-host.ts'
import { type Dial, dialAddress } from './connections/dial.ts'
import type { ConnectionOptions } from './connections/open-connection.ts'
import { findAllowable } from './find-allowable.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
import { type Outbound, type OutboundOptions, createOutbound } from './outbound.ts'
import type { EgressRules } from './rules.ts'

export interface EgressOptions {
  /** Doors on private networks that the operator opened to teams. */
  allowPrivate?: readonly HostPort[]
  /** Where this server itself listens, as its own machine and as the world knows it. */
  ownListeners?: readonly HostPort[]
  resolveHost?: ResolveHost
  dial?: Dial
  /** Certificates to trust instead of those Node brings, in PEM. */
  ca?: string
}

/** The product's only way out. */
export interface Egress {
  outbound(options: OutboundOptions): Outbound
  /** For libraries that want a `fetch`. */
  fetchFor(rules: EgressRules): GuardedFetch
  /** The URL prefix that would let a team's code reach the place a URL names; undefined where nothing would. Asks no name server. */
  allowable(url: string): string | undefined
}

export function createEgress(options: EgressOptions = {}): Egress {
  const connection: ConnectionOptions = {
    allowPrivate: options.allowPrivate ?? [],
    ownListeners: options.ownListeners ?? [],
    resolveHost: options.resolveHost ?? createResolveHost(),
    dial: options.dial ?? dialAddress,
    ...(options.ca !== undefined && { ca: options.ca }),
  }
  return {
    outbound: (outboundOptions) => createOutbound(connection, outboundOptions),
    fetchFor: (rules) => createGuardedFetch(connection, rules),
    allowable: (url) => findAllowable(url, connection),
  }
}
