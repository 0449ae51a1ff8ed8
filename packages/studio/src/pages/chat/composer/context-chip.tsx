import { FileCode2, X } from 'lucide-react'

/** Something that goes with the message, unless it is taken away. */
export function ContextChip({ label, onLeaveOut }: { label: string; onLeaveOut: () => void }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1 rounded-full border border-line bg-sunken py-0.5 pr-0.5 pl-2">
      <FileCode2 aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate" title={`${label} goes with your message`}>
        {label}
      </span>
      <button
        type="button"
        aria-label={`Leave out ${label}`}
        onClick={onLeaveOut}
        className="flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  )
}
