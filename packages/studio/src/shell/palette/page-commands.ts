import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Command } from './command.ts'

/** By who offers them: the parts of a page each have their own. */
const offers = new Map<object, readonly Command[]>()
let offered: readonly Command[] = []
const listeners = new Set<() => void>()

function tell(): void {
  offered = [...offers.values()].flat()
  for (const listener of listeners) listener()
}

/** Puts what can be done on this page on top of the palette while the page is shown. */
export function usePageCommands(commands: readonly Command[]): void {
  const [owner] = useState(() => ({}))
  useEffect(() => {
    offers.set(owner, commands)
    tell()
    return () => {
      offers.delete(owner)
      tell()
    }
  }, [owner, commands])
}

export const useOfferedCommands = (): readonly Command[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offered,
  )
