import { bodyChunks, type StreamedLike } from '../wire/body-chunks.ts'
import type { ResponseLike } from '../wire/client.ts'
import { CoherexError, type ErrorCode } from '../wire/errors.ts'
import { backoff } from './backoff.ts'
import { pause, type SignalLike } from './pause.ts'

// every platform has them; declared here because this package asks for neither Node nor a browser
declare class AbortController {
  readonly signal: SignalLike
  abort(): void
}
declare function setTimeout(call: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void

export type StreamedResponse = ResponseLike & StreamedLike

export interface FollowOptions {
  signal?: SignalLike
  /** A connection is open: what comes next is heard, and a quiet program may take long to say it. */
  onOpen?: () => void
  /** A connection broke, and how many did since something was heard; another is tried. */
  onLost?: (failures: number) => void
  /** A connection that is silent for so long broke: the server says something at least every 15 s. */
  quietMs?: number
  /** How long without the server before giving up. */
  patienceMs?: number
  /** What to say when it gives up. */
  describeLoss?: () => string
}

const waits = { firstMs: 250, longestMs: 5_000 }
const passing: readonly ErrorCode[] = ['unavailable', 'internal', 'quota_exceeded']

/** Over as many connections as it takes: attempts until one returns true, is refused, or patience or the signal ends it. */
export async function* persist<Event>(
  attempt: (heard: () => void) => AsyncGenerator<Event, boolean>,
  {
    signal,
    onLost,
    patienceMs = Infinity,
    describeLoss = () => 'The connection to the server was lost',
  }: FollowOptions,
  mayTryAgain: () => boolean = () => true,
): AsyncGenerator<Event, void> {
  let failures = 0
  let lostAt = 0
  for (;;) {
    let failure: unknown
    try {
      if (yield* attempt(() => (failures = 0))) return
    } catch (error) {
      const isPassing = !(error instanceof CoherexError) || passing.includes(error.code)
      signal?.throwIfAborted()
      if (!isPassing) throw error
      failure = error
    }
    signal?.throwIfAborted()
    const isOnce = !mayTryAgain()
    if (isOnce && failure instanceof CoherexError) throw failure
    failures += 1
    if (failures === 1) lostAt = Date.now()
    if (isOnce || Date.now() - lostAt > patienceMs) {
      throw new CoherexError('unavailable', describeLoss(), { cause: failure })
    }
    onLost?.(failures)
    await pause(backoff(failures, waits), signal)
    signal?.throwIfAborted()
  }
}

/** Asks until there is an answer. */
export async function insist<Answer>(ask: () => Promise<Answer>, options: FollowOptions): Promise<Answer> {
  const answers = persist(async function* () {
    yield await ask()
    return true
  }, options)
  for await (const answer of answers) return answer
  throw new Error('persist() ended without an answer')
}

/** The bytes of one connection. One that is silent for too long is taken for one that broke. */
export async function* readConnection(
  connect: (signal: SignalLike) => Promise<StreamedResponse>,
  { signal, onOpen, quietMs = 45_000 }: FollowOptions,
): AsyncGenerator<Uint8Array> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  signal?.addEventListener('abort', leave)
  if (signal?.aborted) leave()
  let timer = setTimeout(leave, quietMs)
  try {
    const response = await connect(leaving.signal)
    onOpen?.()
    for await (const chunk of bodyChunks(response)) {
      clearTimeout(timer)
      timer = setTimeout(leave, quietMs)
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
    // whoever stops listening lets go of the connection
    leave()
  }
}
