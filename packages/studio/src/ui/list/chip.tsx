import { X } from 'lucide-react'

interface ChipProps {
  name: string
  value: string
  onRemove: () => void
}

/** A filter that is on; its cross takes it off. */
export function Chip({ name, value, onRemove }: ChipProps) {
  return (
    <span className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border border-line-strong bg-surface pl-2.5 text-dense">
      <span className="text-muted">{name}</span>
      <span className="truncate font-medium">{value}</span>
      <button
        type="button"
        aria-label={`Remove filter ${name} ${value}`}
        onClick={onRemove}
        className="flex size-6.5 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}
