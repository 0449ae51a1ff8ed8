import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { usePageTitle } from './page-title.ts'
import { PlaceTabs } from './place-tabs.tsx'
import type { Place } from './places.ts'

interface PageProps {
  title: string
  /** Name of the browser's tab, where the title is no name. */
  tabTitle?: string
  /** What one can do here, in one sentence. */
  description?: ReactNode
  actions?: ReactNode
  wide?: boolean
  /** A place with several pages, of which this is one: its name is the heading, and its pages are tabs. */
  place?: Place | undefined
  children: ReactNode
}

export function Page({ title, tabTitle = title, description, actions, wide, place, children }: PageProps) {
  usePageTitle(tabTitle)
  return (
    <div
      className={classNames(
        'mx-auto flex w-full flex-col gap-6 px-8 py-8 max-md:gap-4 max-md:px-4 max-md:py-5',
        wide ? 'max-w-300' : 'max-w-220',
      )}
    >
      <PageHeader title={title} description={description} actions={actions} place={place} />
      {children}
    </div>
  )
}

type PageHeaderProps = Pick<PageProps, 'title' | 'description' | 'actions' | 'place'>

export function PageHeader({ title, description, actions, place }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-title font-semibold tracking-[-0.01em]">{place?.label ?? title}</h1>
          {description && <p className="mt-0.5 max-w-170 text-body text-pretty text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {place && <PlaceTabs place={place} />}
    </header>
  )
}
