import { useEffect, useEffectEvent } from 'react'

/** Ctrl or Cmd with Enter anywhere on the page, options included, but in a dialog over it; within the editor it is the editor's own. */
export function useRunKey(run: () => void): void {
  const tell = useEffectEvent(run)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      if (
        event.target instanceof Element &&
        event.target.closest('[data-code-editor], [role="dialog"]:not([data-popover])')
      )
        return
      event.preventDefault()
      tell()
    }
    // on its way in: a checkbox keeps Enter to itself
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}
