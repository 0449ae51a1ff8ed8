import type { ReactNode } from 'react'

/** One component with its name. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-mono text-small text-muted">{name}</h3>
      <div className="flex flex-wrap items-center gap-2.5">{children}</div>
    </div>
  )
}
