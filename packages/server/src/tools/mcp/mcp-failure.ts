import { CoherexError } from '@coherex/contract'
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { EgressError } from '../../egress/index.ts'
import { toPlainLine } from '../../registry/index.ts'

const longest = 500

interface FailureOptions {
  asksForSignIn?: boolean
  scope?: string | undefined
  cause?: unknown
}

/** An MCP server that could not do what it was asked. `asksForSignIn`: it wants to know who we are. */
export class McpFailure extends CoherexError {
  readonly asksForSignIn: boolean
  /** What a sign-in must ask for, where the one that is there was not enough. */
  readonly scope: string | undefined

  constructor(message: string, { asksForSignIn = false, scope, cause }: FailureOptions = {}) {
    super('unavailable', message, { cause })
    this.asksForSignIn = asksForSignIn
    this.scope = scope
  }
}

/** What went wrong with a server, in words for people and models. `reason` is why its connection was closed. */
export function describeFailure(server: string, error: unknown, reason?: string): CoherexError {
  if (error instanceof CoherexError) return error
  const fail = (why: string, options: FailureOptions = {}) =>
    new McpFailure(`MCP server "${server}" ${why}`, { ...options, cause: error })
  if (reason !== undefined) return fail(reason)
  const refused = causeOf(error)
  if (refused) return fail(`cannot be reached: ${refused.message}`)
  if (isUnauthorized(error)) return fail('asks for a sign-in or another key', { asksForSignIn: true })
  if (error instanceof InsufficientScopeError) {
    const scope = error.requiredScope === undefined ? undefined : bounded(error.requiredScope)
    return fail('asks for a sign-in with more rights', { asksForSignIn: true, scope })
  }
  if (error instanceof ProtocolError) return fail(`answered: ${bounded(error.message)}`)
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return fail('did not answer in time')
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return fail('closed the connection')
  if (error instanceof SdkHttpError) return fail(`answered with HTTP status ${error.status ?? 'unknown'}`)
  return fail(`does not speak MCP as it should: ${bounded(error instanceof Error ? error.message : 'no answer')}`)
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401)
}

/** What the guard of the way out said, however deep a library has put it. */
export function causeOf(error: unknown): EgressError | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth++) {
    if (one instanceof EgressError) return one
  }
  return undefined
}

function bounded(text: string): string {
  return toPlainLine(text.slice(0, longest * 4)).slice(0, longest)
}
