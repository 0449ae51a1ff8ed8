import {
  createProxy,
  teamRules,
  type Egress,
  type EgressRules,
  type EgressSign,
  type LoggedRequest,
} from '../../egress/index.ts'
import type { SandboxNetwork } from '../../runtimes/index.ts'

/** A way out of a sandbox, and what goes through it. */
export interface OpenNetwork {
  network: SandboxNetwork
  /** As they are now: what it may reach can change while it is open. */
  readonly rules: EgressRules
  /** From now on it may reach this and nothing else. What is under way ends. */
  change(rules: EgressRules | undefined): void
  /** What goes through it from now on. */
  followRequests(): () => LoggedRequest[]
  close(): Promise<void>
}

const nowhere = teamRules({ allow: [] })

/** What a sandbox may reach, through the one guard of the product; nothing at all without rules. */
export function openNetwork(
  egress: Egress,
  given: EgressRules | undefined,
  onSign?: (sign: EgressSign) => void,
): OpenNetwork {
  const rules = { ...(given ?? nowhere) }
  const caller = egress.outbound({
    rules,
    // where nothing is granted, what is refused is no attempt on a door
    ...(onSign && { onSign: (sign) => rules.allow.length > 0 && onSign(sign) }),
  })
  const proxy = createProxy(caller)
  return {
    network: proxy,
    rules,
    change(next) {
      rules.allow = (next ?? nowhere).allow
      proxy.endConnections()
    },
    followRequests: () => caller.follow(),
    close: () => proxy.close(),
  }
}
