import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, errorStatus } from '@coherex/contract'
import { inTeam, type IdentifyCaller, type TeamCaller } from '../../access/index.ts'
import { isOurHost, isOurRequest } from '../http/requests/guard-requests.ts'
import { toIdentifyingHeaders } from './identifying-headers.ts'

export interface SocketGate {
  identifyCaller: IdentifyCaller
  publicUrl: string
}

/** Who opened a socket, and the headers that say so again at each later check. */
export interface Admitted {
  caller: TeamCaller
  headers: Headers
}

/** What the HTTP face asks of each request, asked of a request for a socket. */
export async function admitSocket(
  request: IncomingMessage,
  { identifyCaller, publicUrl }: SocketGate,
): Promise<Admitted> {
  if (!isOurHost(request.headers.host, publicUrl) || !isOurRequest(request.headers, publicUrl)) {
    throw new CoherexError('forbidden', 'Requests from other sites are refused')
  }
  const headers = toIdentifyingHeaders(request)
  const caller = await identifyCaller(headers, { ip: request.socket.remoteAddress ?? null, requestId: null })
  if (!caller) throw new CoherexError('unauthenticated', 'Sign in, or send an API key')
  return { caller: inTeam(caller), headers }
}

/** Answers a request for a socket that is not opened; gives back the status. */
export function refuseSocket(socket: Duplex, error: unknown): number {
  const status = error instanceof CoherexError ? errorStatus[error.code] : 500
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  return status
}
