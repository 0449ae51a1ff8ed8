import type { Outbound } from '../outbound.ts'
import type { EgressRules } from '../rules.ts'
import type { ProxyLimits } from './proxy-limits.ts'

/** What the parts of a proxy share. */
export interface ProxyState {
  outbound: Outbound
  rules: EgressRules
  limits: ProxyLimits
  /** Aborted when the proxy closes. */
  signal: AbortSignal
  /** Bytes of request bodies that wait to be whole. */
  held: number
  /** Counts what passes; throws when it is more than all of it may be. */
  count(bytes: number): void
  /** Work that has to be done before the proxy is closed. */
  track(work: Promise<void>): void
}
