import { Session } from 'node:inspector/promises'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

export interface MemoryRestOptions {
  /** How long the server must have done next to nothing. */
  quietMs?: number
  /** Freed only where at least so much came since the last time. */
  worthMb?: number
}

// somebody who types in an editor is not quiet: each key is an update, checked, merged and sent on
const quietShare = 0.01
// collecting takes a few milliseconds for each megabyte in use, and nothing is answered meanwhile
const largestMb = 192

/**
 * Gives memory back while nobody is there. V8 keeps what it grew to while modules were loaded or many requests came, half of it
 * empty, for as long as nothing more is asked of it.
 */
export function startMemoryRest({ quietMs = 10_000, worthMb = 12 }: MemoryRestOptions = {}): { stop(): void } {
  let seen = performance.eventLoopUtilization()
  let restedMb = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    const { heldMb, usedMb } = heap()
    if (utilization > quietShare || usedMb > largestMb || heldMb < restedMb + worthMb) return
    void collect()
      // memory that stays is no failure
      .catch(() => undefined)
      .then(() => {
        restedMb = heap().heldMb
        seen = performance.eventLoopUtilization()
      })
  }, quietMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

function heap(): { heldMb: number; usedMb: number } {
  const { total_heap_size: held, used_heap_size: used } = getHeapStatistics()
  return { heldMb: held / 1024 / 1024, usedMb: used / 1024 / 1024 }
}

/** The one collection that also gives up empty space, and the only way to it without a flag of the command line. */
async function collect(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
