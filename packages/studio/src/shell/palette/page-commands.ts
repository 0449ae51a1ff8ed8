import { useEffect, useSyncExternalStore } from 'react'
import type { Command } from './command.ts'

let offered: readonly Command[] = []
const listeners = new Set<() => void>()

function offer(commands: readonly Command[]): void {
  offered = commands
  for (const listener of listeners) listener()
}

/** Puts what can be done on this page on top of the palette while the page is shown. */
export function usePageCommands(commands: readonly Command[]): void {
  useEffect(() => {
    offer(commands)
    return () => offer([])
  }, [commands])
}

export const useOfferedCommands = (): readonly Command[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offered,
  )
