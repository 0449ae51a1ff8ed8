import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePageTitle } from './page-title.ts'

interface DetailPageProps {
  /** The list it stands in. */
  list: { to: '/executions'; search?: { kind: 'code' }; name: string }
  noun: string
  id: string
  children: ReactNode
}

/** One thing of a list on a page of its own, with the way back to the list. */
export function DetailPage({ list, noun, id, children }: DetailPageProps) {
  usePageTitle(`${noun} ${id.slice(0, 11)}…`)
  return (
    <div className="flex h-window min-h-0 flex-col">
      <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-1 px-4 pt-3 text-dense text-muted">
        <Link to={list.to} search={list.search ?? {}} className="rounded-sm hover:text-text">
          {list.name}
        </Link>
        <ChevronRight aria-hidden className="size-3.5" />
        <span aria-current="page" className="truncate font-mono text-small">
          {id}
        </span>
      </nav>
      {children}
    </div>
  )
}
