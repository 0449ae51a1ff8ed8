import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Empty } from '../empty.tsx'

interface NothingMatchesProps {
  icon: LucideIcon
  onClear: () => void
  /** What it is that does not fit the filters. */
  children: ReactNode
}

/** A list that its filters left empty, and the way back to all of it. */
export function NothingMatches({ icon, onClear, children }: NothingMatchesProps) {
  return (
    <Empty icon={icon} title="Nothing matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      {children}
    </Empty>
  )
}
