import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface CardProps {
  title?: string
  description?: ReactNode
  /** Right of the title. */
  actions?: ReactNode
  /** Content runs to the edges, as tables do. */
  flush?: boolean
  danger?: boolean
  children?: ReactNode
}

export function Card({ title, description, actions, flush, danger, children }: CardProps) {
  return (
    <section
      className={classNames('overflow-clip rounded-lg border bg-surface', danger ? 'border-red/45' : 'border-line')}
    >
      {title && (
        <header
          className={classNames(
            'flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 max-md:px-4',
            children === undefined ? 'pb-4' : flush && 'border-b border-line pb-3',
          )}
        >
          <div className="min-w-0">
            <h2 className="text-body font-semibold">{title}</h2>
            {description && <p className="max-w-140 text-dense text-muted">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      {children !== undefined && <div className={flush ? undefined : 'px-5 py-4 max-md:px-4'}>{children}</div>}
    </section>
  )
}
