import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { classNames } from '../ui/class-names.ts'
import { dockLimits, type DockSide } from './use-workbench.ts'

interface DockSeparatorProps {
  side: DockSide
  sizePx: number
  onResize: (sizePx: number) => void
}

const stepPx = 24
// which way a dock grows
const growsBy = { left: 1, bottom: -1, right: -1 } as const

/** The line between a dock and the centre: dragged, moved with the arrow keys, and put back with a double click. */
export function DockSeparator({ side, sizePx, onResize }: DockSeparatorProps) {
  const from = useRef<{ at: number; sizePx: number }>(undefined)
  const isRow = side !== 'bottom'
  const { least, most, first } = dockLimits[side]
  const at = (event: PointerEvent) => (isRow ? event.clientX : event.clientY)

  function drag(event: PointerEvent<HTMLDivElement>) {
    if (!from.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    onResize(from.current.sizePx + (at(event) - from.current.at) * growsBy[side])
  }
  function press(event: KeyboardEvent) {
    const [back, forth] = isRow ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    const sizes: Record<string, number> = {
      [back as string]: sizePx - stepPx * growsBy[side],
      [forth as string]: sizePx + stepPx * growsBy[side],
      Home: least,
      End: most,
    }
    const next = sizes[event.key]
    if (next === undefined) return
    event.preventDefault()
    onResize(next)
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-label={`Resize the ${side} dock`}
      aria-valuenow={sizePx}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={(event) => {
        // from what is seen: a window that is small shows less of a dock than was asked for
        const dock = event.currentTarget.parentElement?.querySelector(`:scope > [data-dock="${side}"]`)
        const box = dock?.getBoundingClientRect()
        from.current = { at: at(event), sizePx: (isRow ? box?.width : box?.height) ?? sizePx }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onDoubleClick={() => onResize(first)}
      onKeyDown={press}
      className={classNames(
        'relative z-10 shrink-0 touch-none bg-line transition-colors before:absolute hover:bg-focus',
        isRow
          ? 'w-px cursor-col-resize before:inset-y-0 before:-left-1.5 before:w-3'
          : 'h-px cursor-row-resize before:inset-x-0 before:-top-1.5 before:h-3',
      )}
    />
  )
}
