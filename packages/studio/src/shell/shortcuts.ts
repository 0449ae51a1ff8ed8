import { useNavigate } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { pageOfKey } from './places.ts'

const sequenceMs = 1200

interface ShortcutActions {
  openPalette: () => void
  showKeys: () => void
  toggleRail: () => void
}

/** Keys that work on every page: the palette, `g` and a letter for a page, `[` for the rail, `?` for the list of keys. */
export function useShortcuts({ openPalette, showKeys, toggleRail }: ShortcutActions): void {
  const navigate = useNavigate()
  const openFromKeys = useEffectEvent(openPalette)
  const showFromKeys = useEffectEvent(showKeys)
  const toggleFromKeys = useEffectEvent(toggleRail)
  // a key that is pressed as soon as the page is seen counts
  useLayoutEffect(() => {
    let goPressedAt = 0
    function search(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      event.stopPropagation()
      openFromKeys()
    }
    function press(event: KeyboardEvent) {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') return showFromKeys()
      if (event.key === '[') return toggleFromKeys()
      const page = pageOfKey(event.key)
      if (page && event.timeStamp - goPressedAt < sequenceMs) {
        event.preventDefault()
        void navigate({ to: page.to, search: page.search ?? {} })
      }
      goPressedAt = event.key === 'g' ? event.timeStamp : 0
    }
    // before the code editor, which waits for a second key after this one
    document.addEventListener('keydown', search, { capture: true })
    document.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('keydown', search, { capture: true })
      document.removeEventListener('keydown', press)
    }
  }, [navigate])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      // the code editor takes keys in an element that is no field and cannot be edited, but for its role
      target.closest('input, textarea, select, [role=textbox], [role=dialog], [role=menu], [role=listbox]') !== null)
  )
}
