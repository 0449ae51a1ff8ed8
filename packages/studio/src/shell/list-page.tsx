import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '../ui/empty.tsx'
import { ListBody, type Pages } from '../ui/list/list-body.tsx'
import { NothingMatches } from '../ui/list/nothing-matches.tsx'
import type { RowLink } from '../ui/list/table-row.tsx'
import type { Column } from '../ui/list/table.tsx'
import { SplitPane } from '../ui/split-pane.tsx'
import { usePageTitle } from './page-title.ts'
import { PageHeader } from './page.tsx'
import type { Place } from './places.ts'

interface ListPageProps<Row extends { id: string }> {
  title: string
  description: string
  actions?: ReactNode
  /** The place whose tabs lead to it. */
  place?: Place
  /** What the list is called where that is not the title. */
  label?: string
  pages: Pages<Row>
  columns: readonly Column<Row>[]
  /** The address of a row, for a new tab. */
  linkOf: (row: Row) => RowLink
  onOpen: (id: string) => void
  /** The row whose details are open. */
  openKey: string | undefined
  stickyHeader: boolean
  filters: ReactNode
  isFiltered: boolean
  onClear: () => void
  empty: EmptyList
  /** What is open beside the list. */
  details: ReactNode
  detailsLabel: string
  /** What else floats above it. */
  children?: ReactNode
}

/** A list without a row, and why. */
interface EmptyList {
  icon: LucideIcon
  /** Nothing fits the filters. */
  unmatched: string
  title: string
  text: string
  action?: ReactNode
}

/** A page that is all one list: it scrolls below its filters, and beside what is open. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, description, actions, place, label = title, filters, isFiltered, onClear, empty } = props
  const { pages, columns, linkOf, onOpen, openKey, stickyHeader, details, detailsLabel, children } = props
  usePageTitle(title)
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-dvh lg:flex-none">
      <div className="flex flex-col gap-4 border-b border-line px-8 pt-8 pb-4 max-md:px-4 max-md:pt-5">
        <PageHeader title={title} description={description} actions={actions} place={place} />
        {filters}
      </div>
      <SplitPane
        name={title.toLowerCase()}
        direction="row"
        secondLabel={detailsLabel}
        initial={0.45}
        second={details && <div className="flex min-h-0 flex-1 animate-rise flex-col">{details}</div>}
      >
        <div className="min-h-0 flex-1 bg-surface lg:overflow-y-auto">
          <ListBody
            label={label}
            pages={pages}
            columns={columns}
            rowKey={({ id }) => id}
            linkOf={linkOf}
            onOpen={({ id }) => onOpen(id)}
            openKey={openKey}
            stickyHeader={stickyHeader}
            empty={
              isFiltered ? (
                <NothingMatches icon={empty.icon} onClear={onClear}>
                  {empty.unmatched}
                </NothingMatches>
              ) : (
                <Empty icon={empty.icon} title={empty.title} action={empty.action}>
                  {empty.text}
                </Empty>
              )
            }
          />
          {children}
        </div>
      </SplitPane>
    </div>
  )
}
