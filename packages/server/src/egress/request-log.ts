import { hideCredentials } from './addresses/url-prefix.ts'
import type { EgressErrorCode } from './egress-error.ts'

/** One request as the outbound may read it: what it asked for and how that ended, nothing about the network behind. */
export interface LoggedRequest {
  at: string
  method: string
  url: string
  status: number | null
  durationMs: number
  /** Of the body, decoded; through a tunnel, in both directions. */
  bytes: number
  error: EgressErrorCode | null
}

export interface RequestLog {
  /** The entry as it is kept: one that is still going on is completed later. */
  add(request: LoggedRequest): LoggedRequest
  /** Those since it was last cleared. */
  read(): LoggedRequest[]
  clear(): void
  /** Those from now on, cleared or not. */
  follow(): () => LoggedRequest[]
}

/** Keeps the newest; a outbound that loops must not fill the server's memory. */
export function createRequestLog(limit = 1_000): RequestLog {
  let entries: LoggedRequest[] = []
  let dropped = 0
  let clearedAt = 0
  const count = () => dropped + entries.length
  const since = (start: number) => entries.slice(Math.max(0, start - dropped)).slice(-limit)
  return {
    add(request) {
      const entry = { ...request, url: hideCredentials(request.url).slice(0, 2_048) }
      entries.push(entry)
      if (entries.length > limit * 2) {
        dropped += entries.length - limit
        entries = entries.slice(-limit)
      }
      return entry
    },
    read: () => since(clearedAt),
    clear() {
      clearedAt = count()
    },
    follow() {
      const start = count()
      return () => since(start)
    },
  }
}
