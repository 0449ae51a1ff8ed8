import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { watchStandstill } from './standstill.ts'

const everyMs = 20

/**
 * Watches how many times longer everything takes than on a machine with nothing else to do: as many threads as are ready
 * to run share each core. For times that are no thread's own, as the one from a request through server, sandbox and
 * database to its answer. One where that many cores are free. Threads that belong to what is measured count for nothing.
 * While the machine stood still, time passed for nobody.
 */
export function watchStretch({ ownThreads = 0 } = {}): { stop(): number } {
  let [ready, looks] = [0, 0]
  const look = () => {
    ready += Math.max(0, readyThreads() - ownThreads)
    looks++
  }
  look()
  const timer = setInterval(look, everyMs)
  const standstill = watchStandstill()
  const began = performance.now()
  return {
    stop() {
      clearInterval(timer)
      const passed = performance.now() - began
      const lived = Math.max(1, passed - standstill.stop())
      return Math.max(1, ready / looks / availableParallelism()) * Math.max(1, passed / lived)
    },
  }
}

function readyThreads(): number {
  try {
    // 0.20 0.18 0.12 1/80 11206: the fourth is those that are ready, of all
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
