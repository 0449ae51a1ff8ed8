import type { HostPort } from './addresses/host-port.ts'
import { isUnder, parseUrlPrefix, portOf, type UrlPrefix } from './addresses/url-prefix.ts'
import { EgressError } from './egress-error.ts'

/** Times and sizes of one request, redirects included. */
export interface EgressLimits {
  /** Name, TCP and TLS together, for each hop. */
  connectMs: number
  headersMs: number
  totalMs: number
  /** Longest silence within a body. */
  idleMs: number
  headerBytes: number
  redirects: number
  /** Most a body may have after decoding. */
  bodyBytes: number
}

/** What one outbound may reach. A team and the operator differ only in this object. */
export interface EgressRules {
  allow: readonly UrlPrefix[] | 'any'
  methods: ReadonlySet<string>
  /** `public`: strangers on the internet and what the operator listed. `any`: private networks too. */
  addresses: 'public' | 'any'
  ports: 'web' | 'any'
  /** Doors of the operator's: a name that leads to nothing but the address and port of one may be reached, wherever that is. */
  beside?: readonly HostPort[]
  limits: EgressLimits
}

const MB = 1_000_000
const defaultMethods = ['GET', 'HEAD', 'OPTIONS'] as const
const allMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const teamLimits: EgressLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  totalMs: 30_000,
  idleMs: 30_000,
  headerBytes: 32_768,
  redirects: 5,
  bodyBytes: 10 * MB,
}

// A model answers late and long; a bound is kept so that nothing hangs for ever.
const operatorLimits: EgressLimits = {
  connectMs: 10_000,
  headersMs: 300_000,
  totalMs: 1_800_000,
  idleMs: 300_000,
  headerBytes: 65_536,
  redirects: 5,
  bodyBytes: 200 * MB,
}

export interface TeamRulesInput {
  /** URL prefixes as people write them, or `any` for the whole public internet. */
  allow: readonly string[] | 'any'
  methods?: readonly string[]
  limits?: Partial<EgressLimits>
  beside?: readonly HostPort[]
}

/** For everything a team, a run or an agent asked for. */
export function teamRules({ allow, methods = defaultMethods, limits = {}, beside }: TeamRulesInput): EgressRules {
  return {
    allow: allow === 'any' ? 'any' : allow.map(parseUrlPrefix),
    methods: new Set(methods.map(parseMethod)),
    addresses: 'public',
    ports: 'web',
    limits: { ...teamLimits, ...limits },
    ...(beside && { beside }),
  }
}

/** For what the operator wrote in the environment: a model server, an OTLP collector, an identity provider. */
export function operatorRules({ allow, limits = {} }: Pick<TeamRulesInput, 'allow' | 'limits'>): EgressRules {
  return {
    allow: allow === 'any' ? 'any' : allow.map(parseUrlPrefix),
    methods: new Set(allMethods),
    addresses: 'any',
    ports: 'any',
    limits: { ...operatorLimits, ...limits },
  }
}

export function parseMethod(method: string): string {
  const upper = method.toUpperCase()
  const isToken = /^[A-Z][A-Z-]{0,19}$/.test(upper)
  // CONNECT opens a tunnel past the guard; TRACE echoes headers that the guest must not see
  if (!isToken || upper === 'CONNECT' || upper === 'TRACE' || upper === 'TRACK') {
    throw new EgressError(
      'METHOD_NOT_ALLOWED',
      'bad-method',
      `Cannot use method ${JSON.stringify(method.slice(0, 40))}`,
    )
  }
  return upper
}

export function checkMethod(method: string, rules: EgressRules): void {
  if (rules.methods.has(method)) return
  const allowed = [...rules.methods].join(', ')
  throw new EgressError('METHOD_NOT_ALLOWED', 'bad-method', `Cannot use method ${method}: allowed are ${allowed}`)
}

export function checkUrl(url: URL, rules: EgressRules): void {
  if (rules.allow === 'any' || rules.allow.some((prefix) => isUnder(url, prefix))) return
  throw new EgressError('URL_NOT_ALLOWED', 'not-listed', `Cannot fetch "${url.href}": it is not in the allow-list`)
}

/** Inside TLS only host and port can be seen: any https prefix of that host will do. */
export function checkTunnel(url: URL, rules: EgressRules): void {
  const isListed = (prefix: UrlPrefix) =>
    prefix.protocol === 'https:' && prefix.hostname === url.hostname && prefix.port === portOf(url)
  if (rules.allow === 'any' || rules.allow.some(isListed)) return
  throw new EgressError('URL_NOT_ALLOWED', 'not-listed', `Cannot connect to "${url.host}": it is not in the allow-list`)
}
