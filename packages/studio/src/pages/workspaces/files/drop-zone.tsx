import { FileUp } from 'lucide-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { droppedFiles, type GivenUpload } from './use-upload.ts'

interface DropZoneProps {
  enabled: boolean
  onDrop: (given: GivenUpload[]) => void
  children: ReactNode
}

/** Takes files that are dropped anywhere on the page. */
export function DropZone({ enabled, onDrop, children }: DropZoneProps) {
  // entering a child leaves the parent: only the balance says whether it is still above us
  const depth = useRef(0)
  const [over, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files')
  const count = (event: DragEvent, by: number) => {
    if (!hasFiles(event)) return
    depth.current += by
    setOver(depth.current > 0)
  }
  return (
    <div
      className="relative flex h-window min-h-0 flex-col"
      onDragEnter={(event) => count(event, 1)}
      onDragLeave={(event) => count(event, -1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setOver(false)
        void droppedFiles(event.dataTransfer).then(onDrop)
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center gap-2 rounded-lg border-2 border-dashed border-focus bg-raised text-body font-medium">
          <FileUp aria-hidden className="size-5 text-accent-text" /> Drop files or folders to add them
        </div>
      )}
    </div>
  )
}
