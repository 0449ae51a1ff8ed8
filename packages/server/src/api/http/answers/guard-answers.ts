import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CoherexError } from '@coherex/contract'
import type { Log } from '../../../base/index.ts'

export interface AnswerGuardOptions {
  log: Pick<Log, 'warn'>
  /** What answers that nobody takes may hold together. A team whose answers hold a quarter gets no more made, and at half they are broken off. */
  mostBytes?: number
  /** Requests that one connection may have under way at once. */
  mostAtOnce?: number
  /** Answers that are made at once, each of which may take tens of megabytes before its size is known. */
  mostMade?: { team: number; all: number }
  /** How long a request waits for room. */
  patienceMs?: number
  /** An answer of which nothing was taken for so long makes room for whoever waits. */
  stalledMs?: number
  lookMs?: number
}

export interface AnswerGuard {
  /** False for a request that was refused and answered. */
  admits(request: IncomingMessage, response: ServerResponse): boolean
  /** Waits until there is room for another answer to this team. What comes back is called when the answer was made. */
  enter(response: ServerResponse, teamId: string): Promise<() => void>
  close(): void
}

interface Waiter {
  teamId: string
  admit(): void
}

const megabyte = 1024 * 1024
// below this an answer is no burden, however long it stays: an event stream with a slow reader is one of these
const smallBytes = 64 * 1024
const mostWaiting = 300
const longestMadeMs = 1_000

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
 * those that have waited longest are broken off, and no more are made for a team that holds its share. Browsers and clients send the next
 * request of a connection when they have the answer to the last: many at once, sent ahead, would all be made before the first is read.
 */
export function createAnswerGuard(options: AnswerGuardOptions): AnswerGuard {
  const { log, mostBytes = 256 * megabyte, mostAtOnce = 8, mostMade = { team: 3, all: 12 } } = options
  const { patienceMs = 10_000, stalledMs = 5_000, lookMs = 1_000 } = options
  const shareOfTeam = mostBytes / 4
  const underWay = new Set<ServerResponse>()
  const perConnection = new WeakMap<Socket, number>()
  const teamOf = new WeakMap<ServerResponse, string>()
  /** In the order in which they were first seen to wait, with how much was left and since when no less was. */
  const waiting = new Map<ServerResponse, { bytes: number; since: number }>()
  /** Answers that are being made, by team. */
  const made = new Map<string, number>()
  let madeInAll = 0
  const waiters = new Set<Waiter>()

  const isOf = (response: ServerResponse, teamId: string) => teamOf.get(response) === teamId
  const sumHeld = (counts: (response: ServerResponse) => boolean) => {
    let held = 0
    for (const response of underWay) if (counts(response)) held += heldBy(response)
    return held
  }
  /** Whether what waits leaves room, for all and for this team. */
  const hasRoomForAll = () => sumHeld(() => true) < mostBytes
  const hasRoom = (teamId: string) => hasRoomForAll() && sumHeld((response) => isOf(response, teamId)) < shareOfTeam
  const hasTurn = (teamId: string) => madeInAll < mostMade.all && (made.get(teamId) ?? 0) < mostMade.team

  function look(): void {
    const now = performance.now()
    for (const response of underWay) {
      const bytes = heldBy(response)
      const before = waiting.get(response)
      if (bytes < smallBytes) waiting.delete(response)
      else if (!before || bytes < before.bytes) waiting.set(response, { bytes, since: now })
    }
    const broken = new Set<ServerResponse>()
    const breakOff = (response: ServerResponse) => {
      if (broken.has(response)) return
      broken.add(response)
      // one that waits behind others of its connection has no socket of its own yet
      response.req.socket.destroy()
    }
    const breakOldest = (most: number, counts: (response: ServerResponse) => boolean) => {
      let held = sumHeld((response) => counts(response) && !broken.has(response))
      for (const response of waiting.keys()) {
        if (held <= most) break
        if (!counts(response) || broken.has(response)) continue
        held -= heldBy(response)
        breakOff(response)
      }
    }
    for (const teamId of new Set([...waiting.keys()].map((response) => teamOf.get(response)))) {
      if (teamId !== undefined) breakOldest(mostBytes / 2, (response) => isOf(response, teamId))
    }
    breakOldest(mostBytes, () => true)
    for (const { teamId } of waiters) {
      if (hasRoom(teamId)) continue
      const isFull = !hasRoomForAll()
      for (const [response, { since }] of waiting) {
        if (now - since >= stalledMs && (isFull || isOf(response, teamId))) breakOff(response)
      }
    }
    if (broken.size > 0) {
      log.warn({ broken: broken.size }, 'answers that nobody took were broken off: they held too much memory')
    }
    admitWaiters()
  }
  const timer = setInterval(look, lookMs).unref()

  function admitWaiters(): void {
    if (waiters.size === 0) return
    const room = new Map<string, boolean>()
    for (const { teamId, admit } of waiters) {
      if (!hasTurn(teamId)) continue
      const isFree = room.get(teamId) ?? hasRoom(teamId)
      room.set(teamId, isFree)
      if (isFree) admit()
    }
  }

  function begin(teamId: string): () => void {
    let isMade = false
    const count = (by: number) => {
      madeInAll += by
      const own = (made.get(teamId) ?? 0) + by
      if (own > 0) made.set(teamId, own)
      else made.delete(teamId)
    }
    const end = () => {
      clearTimeout(late)
      if (isMade) return
      isMade = true
      count(-1)
      admitWaiters()
    }
    count(1)
    // whoever takes longer waits for something else, such as a sandbox that wakes
    const late = setTimeout(end, longestMadeMs).unref()
    // by then it is with its connection, and counted there
    return () => void setImmediate(end)
  }

  return {
    admits({ socket }, response) {
      const count = (perConnection.get(socket) ?? 0) + 1
      perConnection.set(socket, count)
      underWay.add(response)
      response.once('close', () => {
        underWay.delete(response)
        waiting.delete(response)
        perConnection.set(socket, (perConnection.get(socket) ?? 1) - 1)
        admitWaiters()
      })
      if (count <= mostAtOnce) return true
      const message = `A connection has ${mostAtOnce} requests under way at the most: read the answers first`
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
      response.end(JSON.stringify({ error: { code: 'rate_limited', message } }))
      return false
    },

    async enter(response, teamId) {
      teamOf.set(response, teamId)
      if (hasTurn(teamId) && hasRoom(teamId)) return begin(teamId)
      const own = [...waiters].filter((one) => one.teamId === teamId)
      if (own.length >= mostWaiting)
        throw new CoherexError('quota_exceeded', 'Too many requests of your team wait: slow down', {
          retryAfterSeconds: 1,
        })
      const turn = Promise.withResolvers<() => void>()
      const leave = () => {
        waiters.delete(waiter)
        clearTimeout(late)
        response.off('close', giveUp)
      }
      const giveUp = () => {
        leave()
        const message = 'There is no room for another answer: read those that wait for you first'
        turn.reject(new CoherexError('unavailable', message, { retryAfterSeconds: 5 }))
      }
      const waiter: Waiter = {
        teamId,
        admit() {
          leave()
          turn.resolve(begin(teamId))
        },
      }
      const late = setTimeout(giveUp, patienceMs)
      waiters.add(waiter)
      response.once('close', giveUp)
      return turn.promise
    },

    close: () => clearInterval(timer),
  }
}
