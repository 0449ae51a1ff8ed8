interface FixedTimer {
  id: number
  /** By the program's own clock. */
  dueMs: number
}

/**
 * Timers of a program whose clock is fixed. They fire one after the other, by due time and then by age, and only while the
 * program waits for nothing else: so a call that is raced against a timer always wins, in every run.
 */
export function createFixedTimers(beginMs: number, fire: (id: number, nowMs: number) => void) {
  let nowMs = beginMs
  let timers: FixedTimer[] = []
  let armed: NodeJS.Timeout | undefined

  const disarm = () => {
    clearTimeout(armed)
    armed = undefined
  }
  return {
    get size(): number {
      return timers.length
    },
    has: (id: number): boolean => timers.some((timer) => timer.id === id),
    set(id: number, delayMs: number): void {
      disarm()
      timers.push({ id, dueMs: nowMs + delayMs })
    },
    clear(id: number): void {
      disarm()
      timers = timers.filter((timer) => timer.id !== id)
    },
    /** Nothing else is under way: the next one may come. */
    arm(): void {
      if (armed !== undefined) return
      const [first, ...others] = timers
      if (!first) return
      const next = others.reduce((one, other) => (other.dueMs < one.dueMs ? other : one), first)
      armed = setTimeout(() => {
        armed = undefined
        timers = timers.filter((timer) => timer !== next)
        nowMs = Math.max(nowMs, next.dueMs)
        fire(next.id, nowMs)
      }, next.dueMs - nowMs)
    },
    stop(): void {
      disarm()
      timers = []
    },
  }
}
