import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { EndInSight } from '../../ui/state/end-in-sight.ts'

interface StickToEnd {
  frame: RefObject<HTMLDivElement | null>
  goToEnd: () => void
  /** The reader went up; `new` when something came since. */
  away: 'here' | 'away' | 'new'
}

/** Keeps the end of a list in sight that grows, unless the reader went up to read; `acts` grows when they act at the end. */
export function useStickToEnd(list: readonly unknown[], acts: number): StickToEnd {
  const frame = useRef<HTMLDivElement>(null)
  const latest = useRef(list)
  const [end] = useState(() => new EndInSight())
  /** The list as it was when the reader went up. */
  const [leftAt, setLeftAt] = useState<readonly unknown[]>()
  const goToEnd = useCallback(() => {
    if (frame.current) end.go(frame.current)
  }, [end])
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const look = () => {
      end.look(element)
      setLeftAt((before) => (end.isFollowing ? undefined : (before ?? latest.current)))
    }
    element.addEventListener('scroll', look, { passive: true })
    // plots and colours come later than words, and push the end down
    const grown = new ResizeObserver(() => end.keep(element))
    grown.observe(element)
    if (element.firstElementChild) grown.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', look)
      grown.disconnect()
    }
  }, [end])
  useEffect(() => {
    latest.current = list
    if (frame.current) end.keep(frame.current)
  }, [end, list])
  useEffect(() => {
    if (acts > 0) goToEnd()
  }, [acts, goToEnd])
  return { frame, goToEnd, away: leftAt === undefined ? 'here' : leftAt === list ? 'away' : 'new' }
}
