import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { readStored, writeStored } from '../shell/stored.ts'

interface SplitViewProps {
  /** Remembers the width under this name. */
  name: string
  children: ReactNode
  panel: ReactNode
  panelLabel: string
}

const narrowest = 280
const widest = 720

/** A list with its details beside it; the line between them can be dragged, or moved with the arrow keys. */
export function SplitView({ name, children, panel, panelLabel }: SplitViewProps) {
  const key = `panel.${name}`
  const [width, setWidth] = useState(() => clamp(Number(readStored(key)) || 380))
  const frame = useRef<HTMLDivElement>(null)

  function resize(next: number) {
    setWidth(clamp(next))
    writeStored(key, String(clamp(next)))
  }
  function drag(event: PointerEvent<HTMLDivElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !frame.current) return
    resize(frame.current.getBoundingClientRect().right - event.clientX)
  }
  function press(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    resize(width + (event.key === 'ArrowLeft' ? 16 : -16))
  }

  return (
    <div ref={frame} className="flex min-h-0 min-w-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      {panel && (
        <>
          <div
            role="separator"
            tabIndex={0}
            aria-orientation="vertical"
            aria-label={`Resize ${panelLabel.toLowerCase()}`}
            aria-valuenow={width}
            aria-valuemin={narrowest}
            aria-valuemax={widest}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onKeyDown={press}
            className="relative z-10 -mr-px w-px shrink-0 cursor-col-resize touch-none bg-line transition-colors before:absolute before:inset-y-0 before:-left-1.5 before:w-3 hover:bg-focus"
          />
          <aside aria-label={panelLabel} style={{ width }} className="max-w-[60%] shrink-0 overflow-y-auto bg-surface">
            {panel}
          </aside>
        </>
      )}
    </div>
  )
}

function clamp(width: number): number {
  return Math.round(Math.min(widest, Math.max(narrowest, width)))
}
