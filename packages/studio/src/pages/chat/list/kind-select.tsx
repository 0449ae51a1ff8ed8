import { useMe } from '../../../data/access/me.ts'
import { Select } from '../../../ui/field/select.tsx'
import type { ThreadKind } from './thread-place.ts'

/** Whose conversations: people's, or those that nobody sat before. Admins see that there are private ones. */
export function KindSelect({
  value,
  onChange,
}: {
  value: ThreadKind | undefined
  onChange: (by: ThreadKind | undefined) => void
}) {
  const { role } = useMe()
  const isAdmin = role === 'admin' || role === 'owner'
  return (
    <Select<ThreadKind | 'person'>
      label="Started by"
      size="small"
      className="w-auto!"
      value={value ?? 'person'}
      choices={[
        { value: 'person', label: 'People' },
        { value: 'trigger', label: 'Triggers' },
        { value: 'agent', label: 'Agents', hint: 'Conversations between agents' },
        ...(isAdmin
          ? [
              {
                value: 'private' as const,
                label: 'Private',
                hint: 'Their author and cost, without their messages',
              },
            ]
          : []),
      ]}
      onChange={(next) => onChange(next === 'person' ? undefined : next)}
    />
  )
}
