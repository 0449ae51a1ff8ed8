import { createProxy, type Egress, type EgressRules, type EgressSign, type LoggedRequest } from '../../egress/index.ts'
import type { SandboxNetwork } from '../../runtimes/index.ts'

/** A way out of a sandbox, and what goes through it. */
export interface OpenNetwork {
  network: SandboxNetwork
  /** What goes through it from now on. */
  followRequests(): () => LoggedRequest[]
  close(): Promise<void>
}

/** What a sandbox may reach, through the one guard of the product. */
export function openNetwork(egress: Egress, rules: EgressRules, onSign?: (sign: EgressSign) => void): OpenNetwork {
  const caller = egress.outbound({ rules, ...(onSign && { onSign }) })
  const proxy = createProxy(caller)
  return { network: proxy, followRequests: () => caller.follow(), close: () => proxy.close() }
}
