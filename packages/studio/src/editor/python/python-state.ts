import type { LanguageServerState } from '@coherex/contract'
import { useSyncExternalStore } from 'react'

export interface PythonState {
  state: LanguageServerState
  reason?: string
}

let states: ReadonlyMap<string, PythonState> = new Map()
const listeners = new Set<() => void>()

/** Told by the line to the language server; undefined when it is gone. */
export function tellPythonState(workspaceId: string, state: PythonState | undefined): void {
  const next = new Map(states)
  if (state) next.set(workspaceId, state)
  else next.delete(workspaceId)
  states = next
  for (const listener of listeners) listener()
}

/** How the language server of a workspace is; undefined while nobody needs it. */
export function usePythonState(workspaceId: string): PythonState | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => states.get(workspaceId),
  )
}
