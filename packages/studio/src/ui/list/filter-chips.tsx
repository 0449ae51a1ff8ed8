import { Button } from '../button.tsx'
import { Chip } from './chip.tsx'

interface FilterChipsProps<Key extends string> {
  /** All filters of the list; one without a value is off. */
  filters: readonly { key: Key; name: string; value: string | undefined }[]
  onRemove: (key: Key) => void
  onClear: () => void
}

/** The filters that are on: each can be taken off, or all at once. */
export function FilterChips<Key extends string>({ filters, onRemove, onClear }: FilterChipsProps<Key>) {
  if (!filters.some(({ value }) => value)) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {filters.map(
        ({ key, name, value }) => value && <Chip key={key} name={name} value={value} onRemove={() => onRemove(key)} />,
      )}
      <Button size="small" look="quiet" onClick={onClear}>
        Clear all
      </Button>
    </div>
  )
}
