import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyProps {
  icon: LucideIcon
  title: string
  /** One line on why one would fill it. */
  children: ReactNode
  /** The one action that fills it. */
  action?: ReactNode
}

export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-lg border border-line bg-sunken text-muted">
        <Icon aria-hidden className="size-5" />
      </span>
      <h2 className="text-body font-medium">{title}</h2>
      <div className="max-w-96 text-dense text-pretty text-muted">{children}</div>
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
