/** A file of a workspace that an editor is to show, such as the one where something is defined. */
export interface OpenPlace {
  path: string
  line: number
}

const listeners = new Map<string, (place: OpenPlace) => void>()

/** Told by the editor; false where nobody shows files of that folder. */
export function openPlace(folder: string, place: OpenPlace): boolean {
  const listener = listeners.get(folder)
  listener?.(place)
  return listener !== undefined
}

/** Shows files of a folder where the editor asks for it. */
export function onOpenPlace(folder: string, listener: (place: OpenPlace) => void): () => void {
  listeners.set(folder, listener)
  return () => {
    if (listeners.get(folder) === listener) listeners.delete(folder)
  }
}
