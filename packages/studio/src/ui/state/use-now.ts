import { useSyncExternalStore } from 'react'

const tickMs = 200

/** The time, kept current several times a second while something is under way. */
export function useNow(ticking: boolean): number {
  return useSyncExternalStore(ticking ? everyTick : never, () => Math.floor(Date.now() / tickMs) * tickMs)
}

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs)
  return () => clearInterval(timer)
}

const never = () => () => undefined
