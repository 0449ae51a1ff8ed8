import { useSyncExternalStore } from 'react'
import type { EditorCursor } from '../../editor/code-editor.tsx'

/** Where one is in the file in sight. It moves with every key, so only those who show it are drawn again. */
export interface CursorPlace {
  put(path: string, at: EditorCursor): void
  at(path: string | undefined): EditorCursor | undefined
  subscribe(listener: () => void): () => void
}

export function createCursorPlace(): CursorPlace {
  const listeners = new Set<() => void>()
  let current: { path: string; at: EditorCursor } | undefined
  return {
    put(path, at) {
      current = { path, at }
      for (const listener of listeners) listener()
    },
    at: (path) => (current?.path === path ? current?.at : undefined),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useCursor = (place: CursorPlace, path: string | undefined) =>
  useSyncExternalStore(place.subscribe, () => place.at(path))

export const useCursorLine = (place: CursorPlace, path: string | undefined) =>
  useSyncExternalStore(place.subscribe, () => place.at(path)?.line)
