import { mapDelete, mapGet, mapHas, mapSet, mapSize } from '../../protocol/held-methods.ts'
import { CapabilityError } from './errors.ts'
import type { Host } from './host.ts'

export const maxTimers = 1000

interface Timer {
  run: () => void
  everyMs: number | undefined
  /** A script does not end before it. */
  isHeld: boolean
}

/** Timeouts and intervals, kept here and woken by the child. */
export function createTimers(host: Pick<Host, 'setTimer' | 'clearTimer' | 'holdTimer'>) {
  const timers = new Map<number, Timer>()
  let lastId = 0

  const add = (what: string, callback: unknown, delay: unknown, args: unknown[], repeats: boolean): TimerHandle => {
    if (typeof callback !== 'function') throw new TypeError(`${what}: the callback is not a function`)
    if (mapSize(timers) >= maxTimers) {
      throw new CapabilityError('LIMIT_EXCEEDED', `${what}: more than ${maxTimers} timers at once`)
    }
    const delayMs = Math.min(Math.max(Number(delay) || 0, 1), 2 ** 31 - 1)
    const id = ++lastId
    const timer = {
      run: () => void Reflect.apply(callback, undefined, args),
      everyMs: repeats ? delayMs : undefined,
      isHeld: true,
    }
    mapSet(timers, id, timer)
    host.setTimer(id, delayMs)
    return new TimerHandle(id, timer, (isHeld) => {
      timer.isHeld = isHeld
      if (mapHas(timers, id)) host.holdTimer(id, isHeld)
    })
  }
  const clear = (handle: unknown) => {
    const id = handle instanceof TimerHandle ? handle.id : Number(handle)
    if (mapDelete(timers, id)) host.clearTimer(id)
  }

  return {
    setTimeout: (callback: unknown, delay?: unknown, ...args: unknown[]) =>
      add('setTimeout', callback, delay, args, false),
    setInterval: (callback: unknown, delay?: unknown, ...args: unknown[]) =>
      add('setInterval', callback, delay, args, true),
    setImmediate: (callback: unknown, ...args: unknown[]) => add('setImmediate', callback, 0, args, false),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    /** The child's clock came to timer `id`. */
    fire(id: number): void {
      const timer = mapGet(timers, id)
      if (!timer) return
      if (timer.everyMs === undefined) mapDelete(timers, id)
      else {
        host.setTimer(id, timer.everyMs)
        if (!timer.isHeld) host.holdTimer(id, false)
      }
      timer.run()
    },
  }
}

/** Node's shape of a timer, which turns into a number where one is wanted. */
class TimerHandle {
  readonly id: number
  readonly #timer: Timer
  readonly #hold: (isHeld: boolean) => void

  constructor(id: number, timer: Timer, hold: (isHeld: boolean) => void) {
    this.id = id
    this.#timer = timer
    this.#hold = hold
  }

  ref(): this {
    this.#hold(true)
    return this
  }

  unref(): this {
    this.#hold(false)
    return this
  }

  hasRef(): boolean {
    return this.#timer.isHeld
  }

  [Symbol.toPrimitive](): number {
    return this.id
  }
}
