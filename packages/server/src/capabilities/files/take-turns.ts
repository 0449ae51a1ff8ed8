import { setImmediate } from 'node:timers/promises'

const largeBytes = 262_144

/**
 * Hands large contents over one at a time, each in a turn of its own. Whoever gets one encodes it at once; fifty at
 * once would hold up the whole server for seconds.
 */
export function createTurns(): (bytes: Uint8Array) => Promise<Uint8Array> {
  let last: Promise<unknown> = Promise.resolve()
  return async (bytes) => {
    if (bytes.length < largeBytes) return bytes
    const turn = last.then(() => setImmediate(bytes))
    last = turn
    return turn
  }
}
