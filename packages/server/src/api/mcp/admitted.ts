import type { CoherexError } from '@coherex/contract'
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { Visit } from './shelf.ts'

/** Who was let in with a message. Shelves reach it through the protocol, so it has nothing of what they showed. */
export interface Admitted {
  visit: Visit
  /** What a caller hears of an error. */
  tell(error: unknown): CoherexError
}

/** A message that was let in. */
export interface Message extends Admitted {
  /** What the message was let in by, for when rights change while it is answered. */
  headers: Headers
  /** Ends the visit. */
  end: AbortController
  request: Request
  /** Absent for what is no POST. */
  body?: unknown
}

/** The form in which the protocol carries it. No token goes further than this: what answers knows the caller, and not what they showed. */
export function toAuthInfo({ visit, tell }: Admitted): AuthInfo {
  const admitted: Admitted = { visit, tell }
  const { credentialId, scopes } = visit.caller
  return { token: '', clientId: credentialId, scopes: [...scopes], extra: { admitted } }
}

export function admittedOf({ http }: ServerContext): Admitted {
  if (!http?.authInfo?.extra) throw new Error('a message of MCP came without its caller')
  return http.authInfo.extra['admitted'] as Admitted
}
