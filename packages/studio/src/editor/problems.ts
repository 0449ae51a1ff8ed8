import { useSyncExternalStore } from 'react'

/** Something that the language finds wrong in a file. */
export interface Problem {
  path: string
  line: number
  column: number
  severity: 'error' | 'warning'
  message: string
}

let problems: ReadonlyMap<string, readonly Problem[]> = new Map()
const listeners = new Set<() => void>()
const none: readonly Problem[] = []

/** Told by the editor, once it is loaded: all that is wrong in a folder. */
export function tellProblems(folder: string, found: readonly Problem[]): void {
  problems = new Map(problems).set(folder, found)
  for (const listener of listeners) listener()
}

/** What is wrong in the files of a folder, as far as the editor knows them. */
export function useProblems(folder: string): readonly Problem[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => problems.get(folder) ?? none,
  )
}
