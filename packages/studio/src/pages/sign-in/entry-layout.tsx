import type { ReactNode } from 'react'
import { Logo } from '../../shell/logo.tsx'
import { usePageTitle } from '../../shell/page-title.ts'

interface EntryLayoutProps {
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}

/** The frame of the pages before the shell. */
export function EntryLayout({ title, description, children, footer }: EntryLayoutProps) {
  usePageTitle(title)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="mb-6 flex w-full max-w-100 items-center gap-2">
        <Logo className="size-7" />
        <span className="text-lead font-semibold tracking-[-0.01em]">Coherex</span>
      </div>
      <div className="w-full max-w-100 md:rounded-lg md:border md:border-line md:bg-surface md:p-8">
        <h1 className="text-title font-semibold tracking-[-0.01em]">{title}</h1>
        {description && <p className="mt-1 text-body text-pretty text-muted">{description}</p>}
        {children && <div className="mt-6">{children}</div>}
        {footer && <div className="mt-6 border-t border-line pt-4 text-dense text-muted">{footer}</div>}
      </div>
    </main>
  )
}
