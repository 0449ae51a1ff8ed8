import { useState } from 'react'

/**
 * Where the focus goes when a dialog closes: to what had it when it opened. A field that takes the focus first would
 * otherwise be taken for that, and is gone by then.
 */
export function useFinalFocus(open: boolean): () => HTMLElement | true {
  const [seen, setSeen] = useState<{ open: boolean; before: Element | null }>({ open: false, before: null })
  if (seen.open !== open) setSeen({ open, before: open ? document.activeElement : seen.before })
  const { before } = seen
  // what a menu had is gone with the menu
  return () => (before instanceof HTMLElement && before.isConnected && before !== document.body ? before : true)
}
