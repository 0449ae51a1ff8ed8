import type { ReactElement } from 'react'
import { Tooltip } from './tooltip.tsx'

/** Says why a button is off. The wrapper takes the focus and the pointer that a disabled button cannot. */
export function Reason({ why, children }: { why: string | undefined; children: ReactElement }) {
  if (!why) return children
  return (
    <Tooltip text={why}>
      <span tabIndex={0} className="rounded-md" role="note" aria-label={why}>
        {children}
      </span>
    </Tooltip>
  )
}
