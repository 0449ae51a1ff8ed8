import { useEffect, useEffectEvent } from 'react'

/** Escape closes what is open beside a list. */
export function useEscape(close: () => void, on: boolean): void {
  const tell = useEffectEvent(close)
  useEffect(() => {
    if (!on) return undefined
    const press = (event: KeyboardEvent) => {
      // in a menu, a dialog or the editor, Escape belongs to them
      const own =
        event.target instanceof Element && event.target.closest('.monaco-editor, [role=dialog], [role=listbox]')
      if (event.key === 'Escape' && !event.defaultPrevented && !own) tell()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [on])
}
