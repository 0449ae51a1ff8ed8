/** How a person stops a command that waits: Ctrl-C, a closed terminal, a reader that has gone. */
export interface Interruption {
  /** Hears the first interruption instead of the program ending; a second one ends it. Returns how to stop listening. */
  listen(listener: () => void): () => void
  /** Tells a listener; false when there is none. */
  tell(): boolean
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const interrupted = 130

export function createInterruption(): Interruption {
  let current: (() => void) | undefined
  let told = false
  const onSignal = () => {
    if (told) process.exit(interrupted)
    tell()
  }
  function tell(): boolean {
    if (!current) return false
    if (!told) current()
    told = true
    return true
  }
  return {
    tell,
    listen(listener) {
      current = listener
      // what the one before heard is over: the next Ctrl-C is the first of this one
      told = false
      for (const signal of signals) process.on(signal, onSignal)
      return () => {
        current = undefined
        for (const signal of signals) process.off(signal, onSignal)
      }
    },
  }
}
