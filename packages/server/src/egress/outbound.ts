import type { Socket } from 'node:net'
import {
  asEgressError,
  type EgressRequest,
  type Exchange,
  type Redirect,
  startExchange,
} from './connections/exchange.ts'
import { createKeptConnections } from './connections/kept-connections.ts'
import type { ConnectionOptions } from './connections/open-connection.ts'
import { openTunnel } from './connections/open-tunnel.ts'
import { readBody } from './connections/read-body.ts'
import type { HeaderList } from './connections/request-headers.ts'
import { EgressError } from './egress-error.ts'
import type { EgressSign } from './egress-sign.ts'
import { createMinerWatch } from './mining.ts'
import { createRefusalCounter } from './refusal-counter.ts'
import { createRequestLog, type LoggedRequest } from './request-log.ts'
import type { EgressRules } from './rules.ts'

export const defaultBodyBytes = 1_000_000

export interface FetchedResponse {
  url: string
  status: number
  statusText: string
  redirected: boolean
  headers: HeaderList
  body: Uint8Array
  /** The body was longer than asked for. */
  truncated: boolean
  durationMs: number
}

export interface OutboundOptions {
  rules: EgressRules
  /** Requests at once. */
  concurrency?: number
  /** Body bytes that may be held at once for this outbound. */
  heldBytes?: number
  /** Exchanges use connections again, for many small answers of one place. */
  keepsConnections?: boolean
  onSign?: (sign: EgressSign) => void
}

/** An exchange that is in the log once it is finished. */
export interface LoggedExchange extends Exchange {
  /** Closes it, and says how much of the body was passed on and why not all of it was. */
  finish(bytes: number, error?: unknown): void
}

/** One run, agent or source on its way out: its rules, its log, its counters. */
export interface Outbound {
  readonly rules: EgressRules
  fetch(request: EgressRequest & { maxBytes?: number }, signal: AbortSignal): Promise<FetchedResponse>
  /** One request whose body is for whoever passes it on, under other times and methods if those are given. */
  exchange(request: EgressRequest, signal: AbortSignal, rules?: EgressRules): Promise<LoggedExchange>
  /**
   * Whether a tunnel to host and port may be opened, answered with the connection itself: a bare yes could be used
   * for another address. Its entry in the log is complete when it is closed.
   */
  mayConnect(host: string, port: number, signal: AbortSignal): Promise<Socket>
  /** What a client says first through its tunnel to the host. */
  heard(host: string, firstBytes: Buffer): void
  /** As the code reads it, which may also clear it. */
  log(): LoggedRequest[]
  clearLog(): void
  /** All that is asked for from now on, for those who keep a record: the code cannot clear it. */
  follow(): () => LoggedRequest[]
  /** Ends the fetches under way. Each of them is in the log at once, as it stands. */
  close(): void
}

export function createOutbound(connection: ConnectionOptions, options: OutboundOptions): Outbound {
  const { rules, concurrency = 50, heldBytes = 64_000_000, onSign = () => {} } = options
  const log = createRequestLog()
  const countRefusal = createRefusalCounter(onSign)
  const miners = createMinerWatch(onSign)
  const kept = options.keepsConnections ? createKeptConnections() : undefined
  const closed = new AbortController()
  const leaveUnderWay = new Set<() => void>()
  let running = 0
  let held = 0

  /** Each hop of a request is an entry: a place that redirects was sent something too. */
  function startRecord(first: { method?: string | undefined; url: string }) {
    let asked = first
    let started = performance.now()
    let at = new Date().toISOString()
    miners.asked(first.url)
    const sinceStart = () => Math.round(performance.now() - started)
    const record = (end: Pick<LoggedRequest, 'status' | 'bytes' | 'error'> & { url?: string }) => {
      const { method = 'GET', url } = asked
      return log.add({ at, method: method.toUpperCase().slice(0, 20), url, durationMs: sinceStart(), ...end })
    }
    const onRedirect = ({ url, status, next }: Redirect) => {
      record({ url, status, bytes: 0, error: null })
      asked = next
      started = performance.now()
      at = new Date().toISOString()
      miners.asked(next.url)
    }
    return { record, sinceStart, onRedirect }
  }

  function checkRoom(): void {
    if (running < concurrency) return
    throw new EgressError('LIMIT_EXCEEDED', 'busy', `Cannot fetch: ${concurrency} requests are under way already`)
  }

  async function fetchLogged(
    request: EgressRequest & { maxBytes?: number },
    signal: AbortSignal,
  ): Promise<FetchedResponse> {
    const begun = performance.now()
    const { record, onRedirect } = startRecord(request)
    let exchange: Exchange | undefined
    const recordOnce = (end: Parameters<typeof record>[0]) => {
      if (leaveUnderWay.delete(leave)) record(end)
    }
    // what is asked for may have arrived, whether or not anyone waits for the answer
    const leave = () => recordOnce({ status: exchange?.status ?? null, bytes: 0, error: 'FETCH_FAILED' })
    leaveUnderWay.add(leave)
    try {
      exchange = await startExchange(request, rules, { ...connection, signal, onRedirect })
      const maxBytes = Math.min(request.maxBytes ?? defaultBodyBytes, rules.limits.bodyBytes)
      const { bytes, truncated } = await readBody(exchange, maxBytes)
      const { url, status, statusText, redirected, headers } = exchange
      recordOnce({ url, status, bytes: bytes.length, error: null })
      const durationMs = Math.round(performance.now() - begun)
      return { url, status, statusText, redirected, headers, body: bytes, truncated, durationMs }
    } catch (error) {
      exchange?.close()
      const failure = asEgressError(error, { callerSignal: signal, total: exchange?.signal ?? signal })
      countRefusal(failure)
      recordOnce({ status: exchange?.status ?? null, bytes: 0, error: failure.code })
      throw failure
    }
  }

  return {
    rules,
    async fetch(request, signal) {
      const size = Math.min(request.maxBytes ?? defaultBodyBytes, rules.limits.bodyBytes) + (request.body?.length ?? 0)
      checkRoom()
      if (held + size > heldBytes) {
        throw new EgressError(
          'LIMIT_EXCEEDED',
          'busy',
          'Cannot fetch: the requests under way may already take all the memory',
        )
      }
      running++
      held += size
      try {
        return await fetchLogged(request, AbortSignal.any([signal, closed.signal]))
      } finally {
        running--
        held -= size
      }
    },
    async exchange(request, signal, exchangeRules = rules) {
      checkRoom()
      running++
      const { record, onRedirect } = startRecord(request)
      let exchange: Exchange | undefined
      const fail = (error: unknown, bytes: number) => {
        const failure = asEgressError(error, { callerSignal: signal, total: exchange?.signal ?? signal })
        countRefusal(failure)
        record({ status: exchange?.status ?? null, bytes, error: failure.code })
        return failure
      }
      try {
        exchange = await startExchange(request, exchangeRules, {
          ...connection,
          signal,
          onRedirect,
          ...(kept && { kept }),
        })
      } catch (error) {
        running--
        throw fail(error, 0)
      }
      const { url, status, close } = exchange
      let isFinished = false
      const finish = (bytes: number, error?: unknown) => {
        if (isFinished) return
        isFinished = true
        running--
        if (error === undefined) record({ url, status, bytes, error: null })
        else fail(error, bytes)
        close()
      }
      return { ...exchange, finish }
    },
    async mayConnect(host, port, signal) {
      const { record, sinceStart } = startRecord({ method: 'CONNECT', url: `https://${host}:${port}` })
      try {
        const socket = await openTunnel({ host, port }, rules, { ...connection, signal })
        const entry = record({ status: null, bytes: 0, error: null })
        socket.once('close', () => {
          entry.bytes = socket.bytesRead + socket.bytesWritten
          entry.durationMs = sinceStart()
        })
        return socket
      } catch (error) {
        const failure = asEgressError(error, { callerSignal: signal, total: signal })
        countRefusal(failure)
        record({ status: null, bytes: 0, error: failure.code })
        throw failure
      }
    },
    heard: miners.heard,
    log: log.read,
    clearLog: log.clear,
    follow: log.follow,
    close() {
      closed.abort()
      for (const leave of leaveUnderWay) leave()
    },
  }
}
