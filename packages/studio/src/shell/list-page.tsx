import type { ReactNode } from 'react'
import { SplitPane } from '../ui/split-pane.tsx'
import { usePageTitle } from './page-title.ts'
import { PageHeader } from './page.tsx'

interface ListPageProps {
  title: string
  description: string
  actions?: ReactNode
  filters: ReactNode
  /** The list. */
  children: ReactNode
  /** What is open beside the list. */
  details: ReactNode
  detailsLabel: string
}

/** A page that is all one list: it scrolls below its filters, and beside what is open. */
export function ListPage({ title, filters, children, details, detailsLabel, ...header }: ListPageProps) {
  usePageTitle(title)
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-dvh">
      <div className="flex flex-col gap-4 border-b border-line px-8 pt-8 pb-4 max-md:px-4 max-md:pt-5">
        <PageHeader title={title} {...header} />
        {filters}
      </div>
      <SplitPane
        name={title.toLowerCase()}
        direction="row"
        secondLabel={detailsLabel}
        initial={0.45}
        second={details && <div className="flex min-h-0 flex-1 animate-rise flex-col">{details}</div>}
      >
        <div className="min-h-0 flex-1 bg-surface lg:overflow-y-auto">{children}</div>
      </SplitPane>
    </div>
  )
}
