import type { EgressRules } from '../rules.ts'

/** Bounds of all that goes through one proxy. Whoever is behind it downloads packages, so they are wider than those of a fetch. */
export interface ProxyLimits {
  connections: number
  /** In both directions, headers not counted. */
  totalBytes: number
  /** Longest silence on a connection. */
  idleMs: number
  requestBodyBytes: number
  /** Bodies of requests that are held at once, until they are whole. */
  heldBytes: number
}

export const defaultProxyLimits: ProxyLimits = {
  connections: 128,
  totalBytes: 2_000_000_000,
  idleMs: 60_000,
  requestBodyBytes: 10_000_000,
  heldBytes: 32_000_000,
}

const proxyMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The outbound's rules for whole programs: the same places, but a download may take as long as its run, and methods are not told
 * apart. Inside a tunnel nobody sees them, and git asks by POST.
 */
export function proxyRules(rules: EgressRules, { idleMs }: ProxyLimits): EgressRules {
  const limits = { ...rules.limits, headersMs: idleMs, totalMs: 24 * 60 * 60 * 1000, idleMs }
  return {
    ...rules,
    methods: new Set([...rules.methods, ...proxyMethods]),
    limits,
    // as they are when somebody asks: those of a sandbox change while it is open
    get allow() {
      return rules.allow
    },
  }
}
