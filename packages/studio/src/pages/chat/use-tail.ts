import type { Message } from '@coherex/contract'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

const pageSize = 30
// before the reader reaches the first one that is drawn
const nearTopPx = 1_200

/**
 * The last messages of a conversation; earlier ones are drawn as the reader comes near them, or when the browser is asked to
 * find something. What was drawn stays: it can be found, and a link to it leads there.
 */
export function useTail(messages: readonly Message[], frame: RefObject<HTMLElement | null>): readonly Message[] {
  const lastPage = Math.max(0, messages.length - pageSize)
  const wanted = wantedId()
  const linked = messages.findIndex(({ id }) => id === wanted)
  const [first, setFirst] = useState(linked < 0 ? lastPage : Math.min(linked, lastPage))
  // another branch may be shorter
  const from = Math.min(first, lastPage)
  const anchor = useRef<{ id: string; top: number }>(undefined)

  useEffect(() => {
    const element = frame.current
    if (!element || from === 0) return undefined
    const drawFrom = (next: number) => {
      const top = element.querySelector('[data-message]')
      if (top) anchor.current = { id: top.id, top: top.getBoundingClientRect().top }
      setFirst(Math.max(0, next))
    }
    const look = () => element.scrollTop < nearTopPx && drawFrom(from - pageSize)
    const find = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) drawFrom(0)
    }
    element.addEventListener('scroll', look, { passive: true })
    addEventListener('keydown', find)
    return () => {
      element.removeEventListener('scroll', look)
      removeEventListener('keydown', find)
    }
  }, [frame, from])

  // those above push the others down: what the reader looks at stays where it was
  useLayoutEffect(() => {
    const before = anchor.current
    anchor.current = undefined
    const element = frame.current
    const now = before && element?.querySelector(`[id="${before.id}"]`)?.getBoundingClientRect().top
    if (element && before && now !== undefined && now !== before.top) element.scrollBy(0, now - before.top)
  }, [frame, from])

  const isLinked = linked >= 0
  useEffect(() => {
    if (isLinked) document.getElementById(wanted)?.scrollIntoView({ block: 'start' })
  }, [wanted, isLinked])

  return messages.slice(from)
}

/** The message that the address leads to. */
function wantedId(): string {
  return /^#(msg_\w+)$/.exec(location.hash)?.[1] ?? ''
}
