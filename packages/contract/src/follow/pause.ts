// every platform has them; declared here because this package asks for neither Node nor a browser
declare function setTimeout(call: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void

/** The part of a platform's AbortSignal that is needed here. */
export interface SignalLike {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
  throwIfAborted(): void
}

/** Waits so long, or until the signal aborts. */
export function pause(ms: number, signal?: SignalLike): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
