import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A sentence beside the work: something to know, or to be careful with. */
export function Callout({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) {
  const Icon = tone === 'warning' ? TriangleAlert : Info
  return (
    <div
      className={classNames(
        'flex items-start gap-2 rounded-md px-3 py-2 text-dense',
        tone === 'warning' ? 'bg-amber-soft text-amber' : 'bg-sunken text-muted',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
