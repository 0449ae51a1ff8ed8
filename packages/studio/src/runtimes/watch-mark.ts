/** What a runtime looks at between the steps of code. */
export interface Mark {
  /** As Pyodide wants it: 2 asks for an interrupt, 0 for nothing. */
  readonly signal: { 0: number }
  /** From now on this address says whether to go on. */
  follow(address: string | undefined): void
}

// each look loads an empty script
const lookEveryMs = 100
const interrupt = 2

/**
 * Tells a runtime in a busy worker that a person pressed Stop. It hears no message, and has no shared memory where pages may hold
 * others; but it can load a script, as long as the page around it has not taken the address back.
 */
export function watchMark(): Mark {
  const load = (globalThis as unknown as { importScripts: (address: string) => void }).importScripts.bind(globalThis)
  const now = performance.now.bind(performance)
  let watched: string | undefined
  let lookedAt = 0
  return {
    signal: {
      get 0() {
        if (watched === undefined || now() - lookedAt < lookEveryMs) return 0
        lookedAt = now()
        try {
          load(watched)
          return 0
        } catch {
          // once: what the code does about it is not interrupted again
          watched = undefined
          return interrupt
        }
      },
      set 0(_) {
        // Pyodide takes a signal away once it has seen it
      },
    },
    follow(address) {
      watched = address
      lookedAt = now()
    },
  }
}
