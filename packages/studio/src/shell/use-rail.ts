import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { readStored, writeStored } from '../ui/state/stored.ts'

/** How wide the rail is. It folds on workbenches, whose docks need the room; each choice is remembered. */
export function useRail() {
  // by the route and not by its page, which comes later: a rail that folds then would push everything
  const isWorkbench = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isWorkbench) })
  const [choices, setChoices] = useState(() => ({ page: readStored('rail'), workbench: readStored('rail.workbench') }))
  const isNarrow = isWorkbench ? choices.workbench !== 'wide' : choices.page === 'narrow'
  function toggle() {
    const [kind, key] = isWorkbench ? (['workbench', 'rail.workbench'] as const) : (['page', 'rail'] as const)
    const next = isNarrow ? 'wide' : 'narrow'
    setChoices({ ...choices, [kind]: next })
    writeStored(key, next)
  }
  return { isNarrow, toggle }
}
