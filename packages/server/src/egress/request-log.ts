import type { EgressErrorCode } from './egress-error.ts'

/** One request as the caller may read it: what it asked for and how that ended, nothing about the network behind. */
export interface LoggedRequest {
  at: string
  method: string
  url: string
  status: number | null
  durationMs: number
  /** Of the body, decoded. */
  bytes: number
  error: EgressErrorCode | null
}

export interface RequestLog {
  add(request: LoggedRequest): void
  read(): LoggedRequest[]
  clear(): void
}

/** Keeps the newest; a caller that loops must not fill the server's memory. */
export function createRequestLog(limit = 1_000): RequestLog {
  let entries: LoggedRequest[] = []
  return {
    add(request) {
      entries.push({ ...request, url: request.url.slice(0, 2_048) })
      if (entries.length > limit * 2) entries = entries.slice(-limit)
    },
    read: () => entries.slice(-limit),
    clear() {
      entries = []
    },
  }
}
