import { readCoreTime } from './core-time.ts'

const everyMs = 20
// less is a timer that came late, or a file that was read
const leastMs = 100

/**
 * Watches how long the machine stood still: this thread wanted to look, and for so long it neither worked nor waited for a
 * core. Then nobody else got on with anything either.
 */
export function watchStandstill(): { stop(): number } {
  let stoodMs = 0
  let last = look()
  const count = () => {
    const now = look()
    stoodMs += stoodBetween(last, now)
    last = now
  }
  const timer = setInterval(count, everyMs)
  return {
    stop() {
      clearInterval(timer)
      count()
      return stoodMs
    },
  }
}

interface Look {
  at: number
  ran: number
  waited: number
}

const look = (): Look => ({ at: performance.now(), ...readCoreTime('/proc/thread-self') })

export function stoodBetween(last: Look, now: Look): number {
  const own = everyMs + (now.ran - last.ran) + (now.waited - last.waited)
  const rest = now.at - last.at - own
  return rest < leastMs ? 0 : rest
}
