const listeners = new Map<string, () => void>()

/** Has the editor that shows a file format it; the place is the folder and the path. */
export function requestFormat(place: string): void {
  listeners.get(place)?.()
}

export function onFormatRequest(place: string, listener: () => void): () => void {
  listeners.set(place, listener)
  return () => {
    if (listeners.get(place) === listener) listeners.delete(place)
  }
}
