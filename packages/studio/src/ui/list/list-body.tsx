import type { ReactNode } from 'react'
import { ErrorState } from '../error-state.tsx'
import { LoadMore } from './load-more.tsx'
import type { RowLink } from './table-row.tsx'
import { Table, TableSkeleton, type Column } from './table.tsx'

export interface Pages<Row> {
  items: Row[] | undefined
  error: Error | null
  refetch: () => unknown
  hasNextPage: boolean
  fetchNextPage: () => unknown
  isFetchingNextPage: boolean
}

interface ListBodyProps<Row> {
  label: string
  pages: Pages<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  empty: ReactNode
  /** The address of a row. */
  linkOf?: (row: Row) => RowLink | undefined
  /** What a click does instead of following the link. */
  onOpen?: (row: Row) => void
  openKey?: string | undefined
  stickyHeader?: boolean
}

/** A list in each of its states: coming, failed, empty, there, with more to fetch. */
export function ListBody<Row>({ label, pages, columns, rowKey, empty, ...table }: ListBodyProps<Row>) {
  const { items, error } = pages
  if (items === undefined) {
    if (!error) return <TableSkeleton columns={columns} />
    return <ErrorState doing={`load the ${lowerFirst(label)}`} error={error} onRetry={() => void pages.refetch()} />
  }
  if (items.length === 0) return empty
  return (
    <>
      <Table label={label} columns={columns} rows={items} rowKey={rowKey} {...table} />
      <LoadMore pages={pages} />
    </>
  )
}

/** For the middle of a sentence; `API keys` stays as it is. */
function lowerFirst(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}
