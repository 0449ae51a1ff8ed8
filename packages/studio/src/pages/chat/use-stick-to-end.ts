import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { EndInSight } from '../../ui/end-in-sight.ts'

interface StickToEnd {
  frame: RefObject<HTMLDivElement | null>
  /** Goes to the end, wherever the reader is: they did something that goes on there. */
  goToEnd: () => void
}

/** Keeps the end of a growing list in sight, unless the reader went up to read. */
export function useStickToEnd(growsWith: readonly unknown[]): StickToEnd {
  const frame = useRef<HTMLDivElement>(null)
  const [end] = useState(() => new EndInSight())
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const look = () => end.look(element)
    element.addEventListener('scroll', look, { passive: true })
    // plots and colours come later than words, and push the end down
    const grown = new ResizeObserver(() => end.keep(element))
    grown.observe(element)
    if (element.firstElementChild) grown.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', look)
      grown.disconnect()
    }
  })
  useEffect(() => {
    if (frame.current) end.keep(frame.current)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what grows is the caller's to say
  }, growsWith)
  const goToEnd = useCallback(() => {
    if (frame.current) end.go(frame.current)
  }, [end])
  return { frame, goToEnd }
}
