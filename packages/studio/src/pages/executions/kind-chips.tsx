import { useNavigate } from '@tanstack/react-router'
import { Segmented } from '../../ui/field/segmented.tsx'
import type { ShownKind } from './execution-filters.ts'

const choices: readonly { value: ShownKind | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'turns', label: 'Turns' },
  { value: 'code', label: 'Code' },
  { value: 'deliveries', label: 'Deliveries' },
]

/** What the list of executions shows; other filters do not outlive a change of it, since kinds differ in them. */
export function KindChips({ kind }: { kind: ShownKind | undefined }) {
  const navigate = useNavigate()
  const show = (next: ShownKind | 'all') =>
    void navigate({ to: '/executions', search: next === 'all' ? {} : { kind: next }, replace: true })
  return (
    <div>
      <Segmented label="Kind" value={kind ?? 'all'} choices={choices} onChange={show} />
    </div>
  )
}
