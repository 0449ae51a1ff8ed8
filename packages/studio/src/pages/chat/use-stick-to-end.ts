import { useCallback, useEffect, useRef, type RefObject } from 'react'

const nearPx = 80

interface StickToEnd {
  frame: RefObject<HTMLDivElement | null>
  /** Goes to the end, wherever the reader is: they did something that goes on there. */
  goToEnd: () => void
}

/** Keeps the end of a growing list in sight, unless the reader went up to read. */
export function useStickToEnd(growsWith: readonly unknown[]): StickToEnd {
  const frame = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const lastTop = useRef(0)
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const isNear = scrollHeight - scrollTop - clientHeight < nearPx
      // only a reader goes up: what grows leaves the place as it is, and the end further away
      if (isNear) atEnd.current = true
      else if (scrollTop < lastTop.current) atEnd.current = false
      lastTop.current = scrollTop
    }
    element.addEventListener('scroll', look, { passive: true })
    // plots and colours come later than words, and push the end down
    const grown = new ResizeObserver(() => atEnd.current && element.scrollTo({ top: element.scrollHeight }))
    grown.observe(element)
    if (element.firstElementChild) grown.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', look)
      grown.disconnect()
    }
  })
  useEffect(() => {
    if (atEnd.current) frame.current?.scrollTo({ top: frame.current.scrollHeight })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what grows is the caller's to say
  }, growsWith)
  const goToEnd = useCallback(() => {
    atEnd.current = true
    frame.current?.scrollTo({ top: frame.current.scrollHeight })
  }, [])
  return { frame, goToEnd }
}
