import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { readStored, writeStored } from './state/stored.ts'

interface SplitPaneProps {
  /** Remembers the share under this name. */
  name: string
  direction: 'row' | 'column'
  children: ReactNode
  /** The second part; without it the first has all the room. */
  second: ReactNode
  secondLabel: string
  /** The share of the second part before anyone moved the line. */
  initial?: number
}

const smallest = 0.2
const largest = 0.8

/** Two parts beside or below each other; the line between them can be dragged, or moved with the arrow keys. */
export function SplitPane({ name, direction, children, second, secondLabel, initial = 0.5 }: SplitPaneProps) {
  const key = `split.${name}.${direction}`
  const [share, setShare] = useState(() => clamp(Number(readStored(key)) || initial))
  const frame = useRef<HTMLDivElement>(null)
  const isRow = direction === 'row'

  function resize(next: number) {
    setShare(clamp(next))
    writeStored(key, String(clamp(next)))
  }
  function drag(event: PointerEvent<HTMLDivElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !frame.current) return
    const { right, bottom, width, height } = frame.current.getBoundingClientRect()
    resize(isRow ? (right - event.clientX) / width : (bottom - event.clientY) / height)
  }
  function press(event: KeyboardEvent) {
    const [grow, shrink] = isRow ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    if (event.key !== grow && event.key !== shrink) return
    event.preventDefault()
    resize(share + (event.key === grow ? 0.03 : -0.03))
  }

  return (
    <div ref={frame} className={classNames('flex min-h-0 min-w-0 flex-1', !isRow && 'flex-col')}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      {second && (
        <>
          <div
            role="separator"
            tabIndex={0}
            aria-orientation={isRow ? 'vertical' : 'horizontal'}
            aria-label={`Resize ${secondLabel.toLowerCase()}`}
            aria-valuenow={Math.round(share * 100)}
            aria-valuemin={smallest * 100}
            aria-valuemax={largest * 100}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onKeyDown={press}
            className={classNames(
              'relative z-10 shrink-0 touch-none bg-line transition-colors before:absolute hover:bg-focus',
              isRow
                ? 'w-px cursor-col-resize before:inset-y-0 before:-left-1.5 before:w-3'
                : 'h-px cursor-row-resize before:inset-x-0 before:-top-1.5 before:h-3',
            )}
          />
          <section
            aria-label={secondLabel}
            style={{ flexBasis: `${share * 100}%` }}
            className="flex min-h-0 min-w-0 shrink-0 grow-0 flex-col bg-surface"
          >
            {second}
          </section>
        </>
      )}
    </div>
  )
}

function clamp(share: number): number {
  return Math.round(Math.min(largest, Math.max(smallest, share)) * 1000) / 1000
}
