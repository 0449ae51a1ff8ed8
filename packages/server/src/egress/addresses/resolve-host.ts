import { lookup, Resolver } from 'node:dns/promises'

/** Turns a name into addresses. `system` also reads the hosts file and search domains, as the operator expects. */
export type ResolveHost = (host: string, options: { system: boolean; signal: AbortSignal }) => Promise<string[]>

/**
 * Names that a team entered are asked of the DNS directly: getaddrinfo runs on the four threads that files use too, and a
 * slow name server could take them all. No name found is an empty list.
 */
export function createResolveHost({ servers }: { servers?: readonly string[] } = {}): ResolveHost {
  return async (host, { system, signal }) => {
    if (system) {
      const found = await lookup(host, { all: true, verbatim: true }).catch(() => [])
      return found.map(({ address }) => address)
    }
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      // a family that fails leaves the other to be used
      const [v4, v6] = await Promise.all([
        resolver.resolve4(host).catch(() => []),
        resolver.resolve6(host).catch(() => []),
      ])
      return [...v4, ...v6]
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}
