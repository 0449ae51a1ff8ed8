import { useEffect, useRef, type RefObject } from 'react'

const nearPx = 80

/** Keeps the end of a growing list in sight, unless the reader went up to read. */
export function useStickToEnd(growsWith: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const look = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx
    }
    element.addEventListener('scroll', look, { passive: true })
    // plots and colours come later than words, and push the end down
    const grown = new ResizeObserver(() => atEnd.current && element.scrollTo({ top: element.scrollHeight }))
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
  return frame
}
