import { memo, useEffect, useRef, useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { copySources } from './copy-sources.ts'
import { drawFormula } from './draw-formula.ts'

export interface FormulaProps {
  source: string
  /** As it stands in the text, which is what is copied. */
  raw: string
  /** In a line of its own. */
  isDisplay: boolean
}

document.addEventListener('copy', copySources)

/** LaTeX as it is read. Until it is drawn, and where it cannot be, its source is shown. */
export const Formula = memo(({ source, raw, isDisplay }: FormulaProps) => {
  const place = useRef<HTMLSpanElement>(null)
  const frame = useRef<HTMLSpanElement>(null)
  const [drawn, setDrawn] = useState<{ problem: string | undefined }>()
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const gone = new AbortController()
    void drawFormula(frame, { source, isDisplay, signal: gone.signal }).then((problem) => {
      if (!gone.signal.aborted) setDrawn({ problem })
    })
    return () => gone.abort()
  }, [source, isDisplay])
  useEffect(() => {
    const outer = place.current
    if (!outer) return undefined
    const sized = new ResizeObserver(() => {
      const { width = 0 } = frame.current?.firstElementChild?.getBoundingClientRect() ?? {}
      setWide(width > outer.clientWidth + 1)
    })
    sized.observe(outer)
    return () => sized.disconnect()
  }, [])

  const isDrawn = drawn !== undefined && drawn.problem === undefined
  const scrolls = isDrawn && (isDisplay || isWide)
  return (
    <span
      ref={place}
      {...(isDrawn && { 'data-formula': raw })}
      {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': 'Formula' })}
      className={classNames(
        // nothing of a formula leaves its place, whatever moves it asks for
        'relative max-w-full',
        isDisplay ? 'block py-1' : 'inline-block',
        scrolls ? 'overflow-x-auto overflow-y-hidden' : 'overflow-clip [overflow-clip-margin:4px]',
        scrolls && !isDisplay && 'align-bottom',
      )}
    >
      <span ref={frame} className={isDrawn ? '' : 'hidden'} />
      {!isDrawn && <Source text={raw} problem={drawn?.problem} />}
    </span>
  )
})

function Source({ text, problem }: { text: string; problem: string | undefined }) {
  return (
    <code
      {...(problem !== undefined && { title: `This formula cannot be drawn: ${problem}` })}
      className={classNames(
        'text-[0.9em] break-words whitespace-pre-wrap',
        problem !== undefined && 'underline decoration-amber decoration-dotted underline-offset-4',
      )}
    >
      {text}
    </code>
  )
}
