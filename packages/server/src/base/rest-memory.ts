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
// after a burst there is much to give back, and a server that others use is never all quiet
const muchMb = 128
const fairlyQuietShare = 0.05
// collecting takes a few milliseconds for each megabyte that is alive, and nothing is answered meanwhile
const largestMb = 192

interface Heap {
  heldMb: number
  /** Garbage that was not collected yet included. */
  usedMb: number
}

/**
 * Gives memory back while nobody is there. V8 keeps what it grew to while modules were loaded or many requests came, half of it
 * empty, for as long as nothing more is asked of it.
 */
export function startMemoryRest({ quietMs = 10_000, worthMb = 12 }: MemoryRestOptions = {}): { stop(): void } {
  let seen = performance.eventLoopUtilization()
  let rested: Heap = { heldMb: 0, usedMb: 0 }
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (!isWorthRest({ ...heap(), utilization }, { rested, worthMb })) return
    void collect()
      // memory that stays is no failure
      .catch(() => undefined)
      .then(() => {
        rested = heap()
        seen = performance.eventLoopUtilization()
      })
  }, quietMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Whether a collection gives back enough for its pause. */
export function isWorthRest(
  { heldMb, usedMb, utilization }: Heap & { utilization: number },
  { rested, worthMb }: { rested: Heap; worthMb: number },
): boolean {
  const moreMb = heldMb - rested.heldMb
  if (moreMb < worthMb || utilization > (moreMb > muchMb ? fairlyQuietShare : quietShare)) return false
  // how much is alive shows only after a collection: where it was much, half must be garbage to make another worth its pause
  return rested.usedMb <= largestMb || usedMb >= 2 * rested.usedMb
}

function heap(): Heap {
  // bytes of answers are outside of the heap, and stay until the objects that name them are collected
  const { total_heap_size: held, used_heap_size: used, external_memory: outside } = getHeapStatistics()
  return { heldMb: (held + outside) / 1024 / 1024, usedMb: (used + outside) / 1024 / 1024 }
}

/** The one collection that also gives up empty space, and the only way to it without a flag of the command line. */
async function collect(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
