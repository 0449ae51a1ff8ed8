import {
  createProxy,
  type Egress,
  type EgressRules,
  type LoggedRequest,
  type RefusalStorm,
} from '../../egress/index.ts'
import type { SandboxNetwork } from '../../runtimes/index.ts'

/** A way out of a sandbox, and what went through it. */
export interface OpenNetwork {
  network: SandboxNetwork
  requests(): LoggedRequest[]
  close(): Promise<void>
}

/** What a sandbox may reach, through the one guard of the product. */
export function openNetwork(egress: Egress, rules: EgressRules, onStorm?: (storm: RefusalStorm) => void): OpenNetwork {
  const caller = egress.caller({ rules, ...(onStorm && { onStorm }) })
  const proxy = createProxy(caller)
  return { network: proxy, requests: () => caller.log(), close: () => proxy.close() }
}
