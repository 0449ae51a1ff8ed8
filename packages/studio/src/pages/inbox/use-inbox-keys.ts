import { useEffect, useEffectEvent, type RefObject } from 'react'

interface InboxKeys {
  /** What is open, and how long it is: keys act on what one has seen. */
  openId: string | undefined
  details: RefObject<HTMLElement | null>
  onMove: (step: 1 | -1) => void
}

// a key that bounces must not decide what came into its place
const settleMs = 400
// after `g` a letter is a place to go to
const sequenceMs = 1200

const acts: Record<string, string> = { a: 'approve', r: 'reject', e: 'dismiss', d: 'dismiss' }

/** j and k move, Enter goes into the item, and a letter presses the button that is marked for it in the item. */
export function useInboxKeys({ openId, details, onMove }: InboxKeys): void {
  const move = useEffectEvent(onMove)
  useEffect(() => {
    const shownAt = performance.now()
    let goPressedAt = -sequenceMs
    function press(event: KeyboardEvent) {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTaken(event)) return
      const now = performance.now()
      const isPlace = now - goPressedAt < sequenceMs
      goPressedAt = event.key === 'g' ? now : -sequenceMs
      if (isPlace) return
      if (event.key === 'j' || event.key === 'k') {
        event.preventDefault()
        return move(event.key === 'j' ? 1 : -1)
      }
      if (event.key === 'Enter') return details.current?.focus()
      const act = acts[event.key]
      if (!act || event.repeat || now - shownAt < settleMs) return
      // nobody approves what is still on its way to the screen
      if (act === 'approve' && details.current?.querySelector('[role=status][aria-busy]')) return
      const button = details.current?.querySelector<HTMLButtonElement>(`[data-act=${act}]:not(:disabled)`)
      if (!button) return
      event.preventDefault()
      button.click()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [openId, details])
}

/** Keys belong to fields, dialogs and menus; Enter also to links and buttons. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  const own = 'input, textarea, select, [role=textbox], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
  return target.isContentEditable || target.closest(key === 'Enter' ? `${own}, a, button, summary` : own) !== null
}
