import { createProxy, doorOf, type Egress, type Outbound, teamRules } from '../../../egress/index.ts'
import type { SandboxNetwork } from '../../../runtimes/index.ts'
import { type IndexPlace, rulesOf } from './index-place.ts'

/** The way out of a sandbox that resolves: to the index, and to where the index keeps its files. */
export interface IndexNetwork {
  network: SandboxNetwork
  /** Hosts that were asked for and are neither. */
  refused(): string[]
  close(): Promise<void>
}

export function openIndexNetwork(egress: Egress, place: IndexPlace, fileOrigins: readonly string[]): IndexNetwork {
  const own = egress.outbound({ rules: rulesOf(place) })
  // what an index says of its files is a stranger's word: they are on the public internet, or with the index
  const files = egress.outbound({
    rules: teamRules({
      allow: fileOrigins.map((origin) => `${origin}/`),
      ...(place.isOperators && { beside: [doorOf(place.origin)] }),
    }),
  })
  const follow = [own.follow(), files.follow()]
  const index = new URL(place.origin)
  const port = Number(index.port || (index.protocol === 'https:' ? 443 : 80))
  const forUrl = (url: string) => (URL.parse(url)?.origin === place.origin ? own : files)
  const both: Outbound = {
    ...own,
    exchange: (request, signal, rules) => {
      const chosen = forUrl(request.url)
      const { allow, addresses, ports, beside } = chosen.rules
      return chosen.exchange(request, signal, {
        ...(rules ?? chosen.rules),
        allow,
        addresses,
        ports,
        ...(beside && { beside }),
      })
    },
    mayConnect: (host, toPort, signal) =>
      (host === index.hostname && toPort === port ? own : files).mayConnect(host, toPort, signal),
  }
  const proxy = createProxy(both)
  return {
    network: proxy,
    refused: () =>
      follow
        .flatMap((read) => read())
        .filter(({ error }) => error === 'URL_NOT_ALLOWED')
        .map(({ url }) => URL.parse(url)?.host ?? url),
    close: () => proxy.close(),
  }
}
