/** Every way the product refuses, with its HTTP status. The list is closed: clients switch on it. */
export const errorStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  quota_exceeded: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export interface ErrorOptions {
  /** Facts a client can act on, such as the fields that were wrong. Sent to the caller, so nothing of the host. */
  details?: unknown
  /** Seconds until another try makes sense; becomes the `Retry-After` header. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** What the caller, or nobody yet, must act on. The message is written for people and sent to them. */
export class CoherexError extends Error {
  override readonly name = 'CoherexError'
  readonly code: ErrorCode
  readonly details: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return errorStatus[this.code]
  }
}
