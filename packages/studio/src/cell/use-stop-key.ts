import { useEffect, useEffectEvent } from 'react'

/** Ctrl or Cmd with a full stop: Escape already closes things, and stopping by accident costs a run. */
export function useStopKey(stop: () => void): void {
  const tell = useEffectEvent(stop)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      tell()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
