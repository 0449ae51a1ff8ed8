import type { Launched } from '../../launch/index.ts'

const busyMs = 100
const idleMs = 2_000

/**
 * Files in memory count for the kernel's limit, which is therefore memory and disk together. This holds processes to their own part:
 * it looks ten times a second while something runs, and ends the largest process when all of them hold more than they may.
 */
export function watchProcessMemory(launched: Launched, memoryMb: number) {
  let limitBytes = memoryMb * 1024 * 1024
  let kills = 0
  let busy = 0
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    if ((launched.processMemory() ?? 0) > limitBytes && launched.killLargest(limitBytes)) kills++
    schedule()
  }
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(look, busy > 0 ? busyMs : idleMs)
    timer.unref()
  }
  schedule()
  return {
    get kills(): number {
      return kills
    },
    setBusy(isBusy: boolean): void {
      busy += isBusy ? 1 : -1
      if (busy <= 1) schedule()
    },
    limit(newMb: number): void {
      limitBytes = newMb * 1024 * 1024
    },
    stop: () => clearTimeout(timer),
  }
}
