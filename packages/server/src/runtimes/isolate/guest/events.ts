/** As much of DOM events as AbortSignal and code written against EventTarget need. */
export class Event {
  readonly type: string
  readonly cancelable: boolean
  target: unknown = null
  defaultPrevented = false

  constructor(type: string, options: { cancelable?: boolean } = {}) {
    this.type = String(type)
    this.cancelable = Boolean(options.cancelable)
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true
  }
}

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void }

export class EventTarget {
  #listeners = new Map<string, { listener: Listener; once: boolean }[]>()

  addEventListener(type: string, listener: Listener | null, options: boolean | { once?: boolean } = {}): void {
    if (!listener) return
    const list = this.#listeners.get(type) ?? []
    if (list.some((held) => held.listener === listener)) return
    list.push({ listener, once: typeof options === 'object' && Boolean(options.once) })
    this.#listeners.set(type, list)
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const list = this.#listeners.get(type)
    if (list)
      this.#listeners.set(
        type,
        list.filter((held) => held.listener !== listener),
      )
  }

  dispatchEvent(event: Event): boolean {
    event.target ??= this
    for (const { listener, once } of this.#listeners.get(event.type) ?? []) {
      if (once) this.removeEventListener(event.type, listener)
      if (typeof listener === 'function') listener.call(this, event)
      else listener.handleEvent(event)
    }
    return !event.defaultPrevented
  }
}

export class DOMException extends Error {
  override readonly name: string
  readonly code: number

  constructor(message = '', name = 'Error') {
    super(message)
    this.name = name
    this.code = { AbortError: 20, TimeoutError: 23, DataCloneError: 25 }[name] ?? 0
  }
}

/** AbortController and AbortSignal on these timers. */
export function createAbort(setTimeout: (callback: () => void, delayMs: number) => { unref(): unknown }) {
  const key = Symbol('abort')

  class AbortSignal extends EventTarget {
    #aborted = false
    #reason: unknown
    onabort: ((event: Event) => void) | null = null

    constructor(given?: unknown) {
      super()
      if (given !== key) throw new TypeError('Illegal constructor')
    }

    get aborted(): boolean {
      return this.#aborted
    }

    get reason(): unknown {
      return this.#reason
    }

    [Symbol.for('nodejs.util.inspect.custom')](): string {
      return `AbortSignal { aborted: ${this.#aborted} }`
    }

    throwIfAborted(): void {
      if (this.#aborted) throw this.#reason
    }

    static trigger(
      signal: AbortSignal,
      reason: unknown = new DOMException('This operation was aborted', 'AbortError'),
    ): void {
      if (signal.#aborted) return
      signal.#aborted = true
      signal.#reason = reason
      const event = new Event('abort')
      signal.onabort?.(event)
      signal.dispatchEvent(event)
    }

    static abort(reason?: unknown): AbortSignal {
      const signal = new AbortSignal(key)
      AbortSignal.trigger(signal, reason)
      return signal
    }

    static timeout(delayMs: number): AbortSignal {
      const signal = new AbortSignal(key)
      // a script that has its answer does not wait for the time it would have given up at
      setTimeout(
        () => AbortSignal.trigger(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
        delayMs,
      ).unref()
      return signal
    }

    static any(signals: Iterable<AbortSignal>): AbortSignal {
      const any = new AbortSignal(key)
      for (const signal of signals) {
        if (signal.aborted) AbortSignal.trigger(any, signal.reason)
        else signal.addEventListener('abort', () => AbortSignal.trigger(any, signal.reason), { once: true })
      }
      return any
    }
  }

  class AbortController {
    readonly signal = new AbortSignal(key)

    abort(reason?: unknown): void {
      AbortSignal.trigger(this.signal, reason)
    }
  }

  return { AbortController, AbortSignal }
}

export type AbortSignalLike = InstanceType<ReturnType<typeof createAbort>['AbortSignal']>
