import { CoherexError } from '@coherex/contract'

export interface RateLimit {
  /** Requests that may come at once. */
  burst: number
  perSecond: number
}

interface Bucket {
  tokens: number
  at: number
}

const sweepAbove = 10_000

/** A token bucket for each sender, in this process. Throws with the seconds to wait when a sender's is empty. */
export function createRateLimiter(
  { burst, perSecond }: RateLimit,
  now: () => number = Date.now,
): (sender: string) => void {
  const buckets = new Map<string, Bucket>()
  return (sender) => {
    const time = now()
    if (buckets.size > sweepAbove) forgetFull(time)
    const before = buckets.get(sender)
    // a clock that was set back must not take tokens away
    const elapsedMs = before ? Math.max(0, time - before.at) : 0
    const tokens = before ? Math.min(burst, before.tokens + (elapsedMs / 1000) * perSecond) : burst
    buckets.set(sender, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: time })
    if (tokens >= 1) return
    throw new CoherexError('quota_exceeded', 'Too many requests: slow down', {
      retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    })
  }

  function forgetFull(time: number): void {
    for (const [sender, bucket] of buckets) {
      if (bucket.tokens + ((time - bucket.at) / 1000) * perSecond >= burst) buckets.delete(sender)
    }
  }
}
