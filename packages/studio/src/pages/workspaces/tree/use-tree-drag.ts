import { useState, type DragEvent } from 'react'

const pathType = 'application/x-coherex-path'

/** Rows that are dragged to a folder move there; the empty path is the top. */
export function useTreeDrag(onMove: ((from: string, folder: string) => void) | undefined) {
  const [over, setOver] = useState<string>()
  const isPath = (event: DragEvent) => onMove !== undefined && event.dataTransfer.types.includes(pathType)
  return {
    /** The folder that would take what is dragged. */
    over,
    onRow: (path: string) => ({
      draggable: onMove !== undefined,
      onDragStart(event: DragEvent) {
        event.dataTransfer.setData(pathType, path)
        event.dataTransfer.effectAllowed = 'move'
      },
      onDragEnd: () => setOver(undefined),
    }),
    onFolder: (folder: string) => ({
      onDragOver(event: DragEvent) {
        if (!isPath(event)) return
        event.preventDefault()
        event.stopPropagation()
        if (over !== folder) setOver(folder)
      },
      onDrop(event: DragEvent) {
        if (!isPath(event)) return
        event.preventDefault()
        event.stopPropagation()
        setOver(undefined)
        const from = event.dataTransfer.getData(pathType)
        const isWithin = folder === from || folder.startsWith(`${from}/`)
        const isThere = from.split('/').slice(0, -1).join('/') === folder
        if (!isWithin && !isThere) onMove?.(from, folder)
      },
    }),
  }
}
