export type EgressErrorCode = 'URL_NOT_ALLOWED' | 'METHOD_NOT_ALLOWED' | 'FETCH_FAILED' | 'LIMIT_EXCEEDED'

/** What exactly was refused or failed. For the operator's eyes: telling it to a guest would map the network for it. */
export type EgressReason =
  | 'bad-url'
  | 'bad-method'
  | 'not-listed'
  | 'port'
  | 'own-listener'
  | 'private-address'
  | 'no-address'
  | 'redirects'
  | 'connect'
  | 'timeout'
  | 'too-large'
  | 'response'
  | 'busy'
  | 'aborted'

/** Reasons that speak of an attempt to get out of the rules, not of a network that failed. */
const refusals: ReadonlySet<EgressReason> = new Set([
  'bad-url',
  'bad-method',
  'not-listed',
  'port',
  'own-listener',
  'private-address',
])

/** A request that did not happen or did not finish. The message may be shown to the guest; `reason` may not. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code: EgressErrorCode
  readonly reason: EgressReason

  constructor(code: EgressErrorCode, reason: EgressReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.reason = reason
  }

  get isRefusal(): boolean {
    return refusals.has(this.reason)
  }
}
