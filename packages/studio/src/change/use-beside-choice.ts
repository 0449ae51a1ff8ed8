import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { readStored, writeStored } from '../ui/state/stored.ts'

const key = 'change.beside'
// of the change, and of the window: narrower ones fold each line twice
const leastWidth = 560
const leastWindow = 1100

const listeners = new Set<() => void>()

/** Whether both versions stand beside each other: chosen once for all changes, where there is room for it. */
export function useBesideChoice(place: RefObject<HTMLElement | null>) {
  const [hasRoom, setRoom] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    const observer = new ResizeObserver(([entry]) =>
      setRoom((entry?.contentRect.width ?? 0) >= leastWidth && innerWidth >= leastWindow),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  const isChosen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readStored(key) === 'true',
  )
  return {
    hasRoom,
    isBeside: hasRoom && isChosen,
    choose(next: boolean) {
      writeStored(key, next ? 'true' : undefined)
      for (const tell of listeners) tell()
    },
  }
}
