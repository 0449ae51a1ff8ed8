import type { IncomingMessage } from 'node:http'
import { clientAddressHeader } from '../../access/index.ts'

/** What tells who sent a request that does not pass the HTTP face. */
export function toIdentifyingHeaders(request: IncomingMessage): Headers {
  const headers = new Headers()
  for (const name of ['cookie', 'authorization', 'user-agent'] as const) {
    const value = request.headers[name]
    if (value) headers.set(name, value)
  }
  headers.set(clientAddressHeader, request.socket.remoteAddress ?? '')
  return headers
}
