import type { Opener } from '../wire/client.ts'
import { CoherexError } from '../wire/errors.ts'
import { readEvents } from '../wire/read-events.ts'
import type { Route, RouteRequest, RouteResponse } from '../wire/route.ts'
import type { SignalLike } from './pause.ts'
import { readConnection, type StreamedResponse } from './persist.ts'

export interface ProgressOptions {
  /** One line in plain words, such as "Fetching 3 of 12 packages, 8 MB". */
  onProgress: (line: string) => void
  signal?: SignalLike
  idempotencyKey?: string
}

/** Calls a route whose work takes a while, and tells how far it is. Only routes that say so in their description do. */
export async function callWithProgress<R extends Route, Response extends StreamedResponse>(
  open: Opener<Response>,
  route: R,
  request: RouteRequest<R>,
  { onProgress, signal, ...options }: ProgressOptions,
): Promise<RouteResponse<R>> {
  const headers = { accept: 'text/event-stream' }
  let plain: string | undefined
  const connect = async (leaving: SignalLike): Promise<StreamedResponse> => {
    const response = await open(route, request, { ...options, headers, signal: leaving })
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    // it says nothing on the way
    plain = await response.text()
    return { ok: true, status: response.status, headers: response.headers, text: async () => '', body: null }
  }
  for await (const { type, data } of readEvents(readConnection(connect, signal ? { signal } : {}))) {
    const told = JSON.parse(data) as never
    if (type === 'progress') onProgress((told as { line: string }).line)
    if (type === 'end') return told
    if (type === 'error') {
      const { code, message, details } = told as CoherexError
      throw new CoherexError(code, message, details === undefined ? {} : { details })
    }
  }
  if (plain !== undefined) return JSON.parse(plain) as RouteResponse<R>
  signal?.throwIfAborted()
  throw new CoherexError('unavailable', 'The connection broke before the answer was here')
}
