import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { places } from './places.ts'

const sequenceMs = 1200

interface ShortcutActions {
  openPalette: () => void
  toggleRail: () => void
}

/** Keys that work on every page: the palette, `g` and a letter for a place, `[` for the rail. */
export function useShortcuts({ openPalette, toggleRail }: ShortcutActions): void {
  const navigate = useNavigate()
  const openFromKeys = useEffectEvent(openPalette)
  const toggleFromKeys = useEffectEvent(toggleRail)
  useEffect(() => {
    let goPressedAt = 0
    function press(event: KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault()
        return openFromKeys()
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '[') return toggleFromKeys()
      const place = places.find(({ key }) => key === event.key)
      if (place && event.timeStamp - goPressedAt < sequenceMs) {
        event.preventDefault()
        void navigate({ to: place.to })
      }
      goPressedAt = event.key === 'g' ? event.timeStamp : 0
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
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
