import type ivm from 'isolated-vm'
import type { Prepared } from './prepare-program.ts'
import type { WarmIsolate } from './warm-isolate.ts'

/** An isolate between two programs of the same key: what they left is gone with their contexts, what was compiled stays. */
export interface KeptIsolate {
  /** The context of the next program. */
  warm: WarmIsolate
  compiled: CompiledScripts
  runs: number
  /** What it takes of the process's memory. */
  bytes: number
  usedAt: number
}

/** Scripts of an isolate by the program they belong to and their position in it. Evaluated anew in every context. */
export type CompiledScripts = WeakMap<Prepared, Map<number, ivm.Script>>

const mostKept = 8
// contexts that V8 has not collected yet count with it
const mostBytesOfOne = 24 * 1024 * 1024
// a process that holds much after a run is ended with all of them
const mostBytes = 32 * 1024 * 1024
const mostRuns = 1_000
const idleMs = 30_000

/** The isolates that a child keeps by key. The one used longest ago goes first. */
export function createKeptIsolates(renew: (used: WarmIsolate) => WarmIsolate) {
  const kept = new Map<string, KeptIsolate>()

  const drop = (key: string) => {
    kept.get(key)?.warm.isolate.dispose()
    kept.delete(key)
  }
  const sweep = () => {
    const longAgo = performance.now() - idleMs
    for (const [key, { usedAt }] of kept) if (usedAt < longAgo) drop(key)
  }
  setInterval(sweep, idleMs / 3).unref()

  return {
    drop,
    /** The isolate for a program of this key; it is the program's alone until it is given back. */
    take(key: string, memoryMb: number): KeptIsolate | undefined {
      const found = kept.get(key)
      if (!found) return undefined
      if (found.warm.memoryMb !== memoryMb) return void drop(key)
      kept.delete(key)
      return found
    },
    /** Gives an isolate back whose program ended and left nothing behind. */
    keep(key: string, { warm, compiled, runs }: Omit<KeptIsolate, 'usedAt' | 'bytes'>): void {
      drop(key)
      const { isolate } = warm
      const bytes = bytesOf(isolate)
      if (runs >= mostRuns || warm.lingers || bytes > mostBytesOfOne) return isolate.dispose()
      kept.set(key, { warm: renew(warm), compiled, runs, bytes, usedAt: performance.now() })
      let inAll = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0)
      for (const [oldest, one] of kept) {
        if (kept.size <= mostKept && inAll <= mostBytes) return undefined
        drop(oldest)
        inAll -= one.bytes
      }
      return undefined
    },
  }
}

function bytesOf(isolate: ivm.Isolate): number {
  const { total_heap_size: heap, externally_allocated_size: outside } = isolate.getHeapStatisticsSync()
  return heap + outside
}
