import { PanelRight } from 'lucide-react'
import { Button } from '../button.tsx'

/** Stands in the page for a part of it that is open beside. */
export function OpenedBeside({ title, onReturn }: { title: string; onReturn: () => void }) {
  return (
    <div
      role="note"
      className="flex min-h-9 items-center gap-2 rounded-lg border border-dashed border-line-strong py-1 pr-1 pl-3 text-small text-muted"
    >
      <PanelRight aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{title} is open beside</span>
      <Button size="small" look="quiet" onClick={onReturn}>
        Show here
      </Button>
    </div>
  )
}
