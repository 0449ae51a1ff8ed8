import { useEffect, useEffectEvent } from 'react'
import type { DockSide } from './use-workbench.ts'

/** The keys that open and shut docks, as tooltips name them. */
export const dockKeys: Record<DockSide, string> = { left: 'mod b', bottom: 'mod j', right: 'mod alt b' }

export function useDockKeys(onToggle: (side: DockSide) => void): void {
  const toggle = useEffectEvent(onToggle)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const side = sideOf(event)
      // a shell has uses of its own for these keys
      if (!side || (event.target instanceof Element && event.target.closest('.xterm, [role=dialog]'))) return
      event.preventDefault()
      event.stopPropagation()
      toggle(side)
    }
    // on its way in: the editor keeps keys to itself
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}

function sideOf({ ctrlKey, metaKey, altKey, shiftKey, code }: KeyboardEvent): DockSide | undefined {
  if (!(ctrlKey || metaKey) || shiftKey) return undefined
  // by the place of the key: with Alt it types another letter
  if (code === 'KeyB') return altKey ? 'right' : 'left'
  return code === 'KeyJ' && !altKey ? 'bottom' : undefined
}
