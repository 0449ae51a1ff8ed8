import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../base/index.ts'

export interface AnswerGuardOptions {
  log: Pick<Log, 'warn'>
  /** What answers that nobody takes may hold together. */
  mostBytes?: number
  /** Requests that one connection may have under way at once. */
  mostAtOnce?: number
  lookMs?: number
}

export interface AnswerGuard {
  /** False for a request that was refused and answered. */
  admits(request: IncomingMessage, response: ServerResponse): boolean
  close(): void
}

const megabyte = 1024 * 1024
// below this an answer is no burden, however long it stays: an event stream with a slow reader is one of these
const smallBytes = megabyte

/** What waits for a client behind the buffers of its connection. */
const behind = new WeakMap<ServerResponse, number>()

/** Counts what an answer holds that its connection has not been given yet, until it is let go or the answer ends. */
export function holdBehind(response: ServerResponse, bytes: number): () => void {
  const add = (more: number) => behind.set(response, (behind.get(response) ?? 0) + more)
  add(bytes)
  return () => void add(-bytes)
}

const heldBy = (response: ServerResponse) => response.writableLength + (behind.get(response) ?? 0)

/**
 * Keeps clients that ask without reading from filling the server's memory. An answer waits whole until its client takes it; when too many do,
 * those that have waited longest are broken off. Browsers and clients send the next request of a connection when they have the
 * answer to the last: many at once, sent ahead, would all be made before the first is read.
 */
export function createAnswerGuard(options: AnswerGuardOptions): AnswerGuard {
  const { log, mostBytes = 256 * megabyte, mostAtOnce = 8, lookMs = 1_000 } = options
  const underWay = new Set<ServerResponse>()
  const perConnection = new WeakMap<Socket, number>()
  /** In the order in which they were first seen to wait. */
  const waiting = new Set<ServerResponse>()

  function look(): void {
    let held = 0
    for (const response of underWay) {
      const bytes = heldBy(response)
      held += bytes
      if (bytes < smallBytes) waiting.delete(response)
      else waiting.add(response)
    }
    let broken = 0
    for (const response of waiting) {
      if (held <= mostBytes) break
      held -= heldBy(response)
      // one that waits behind others of its connection has no socket of its own yet
      response.req.socket.destroy()
      broken++
    }
    if (broken > 0) log.warn({ broken }, 'answers that nobody took were broken off: they held too much memory')
  }
  const timer = setInterval(look, lookMs).unref()

  return {
    admits({ socket }, response) {
      const count = (perConnection.get(socket) ?? 0) + 1
      perConnection.set(socket, count)
      underWay.add(response)
      response.once('close', () => {
        underWay.delete(response)
        waiting.delete(response)
        perConnection.set(socket, (perConnection.get(socket) ?? 1) - 1)
      })
      if (count <= mostAtOnce) return true
      const message = `A connection has ${mostAtOnce} requests under way at the most: read the answers first`
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
      response.end(JSON.stringify({ error: { code: 'rate_limited', message } }))
      return false
    },
    close: () => clearInterval(timer),
  }
}
