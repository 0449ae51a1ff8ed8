import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton, Waiting } from '../skeleton.tsx'
import { nextRow } from './table-keys.ts'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Narrow screens leave it out. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
  align?: 'right'
  /** Classes of the cell, such as a width. */
  className?: string
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Enter or a click on a row. */
  onOpen?: (row: Row) => void
  openKey?: string | undefined
  /** A header that stays in sight needs a parent that scrolls. */
  stickyHeader?: boolean
}

const fromClass = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
}

/** A list with one tab stop: arrows or j and k move, Home and End jump, Enter opens. */
export function Table<Row>({ label, columns, rows, rowKey, onOpen, openKey, stickyHeader }: TableProps<Row>) {
  const [current, setCurrent] = useState<string>()
  const body = useRef<HTMLTableSectionElement>(null)
  const tabStop = rows.some((row) => rowKey(row) === current) ? current : rows[0] && rowKey(rows[0])

  function move(event: KeyboardEvent<HTMLTableRowElement>, row: Row) {
    // keys typed in a control of the row belong to that control
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && onOpen) {
      event.preventDefault()
      return onOpen(row)
    }
    const all = [...(body.current?.rows ?? [])]
    const target = nextRow(event.key, all.indexOf(event.currentTarget), all.length)
    if (target === undefined) return
    event.preventDefault()
    all[target]?.focus()
  }

  return (
    <table aria-label={label} className="w-full border-separate border-spacing-0 text-dense">
      <Head columns={columns} sticky={stickyHeader ?? false} />
      <tbody ref={body}>
        {rows.map((row) => {
          const key = rowKey(row)
          return (
            <tr
              key={key}
              tabIndex={key === tabStop ? 0 : -1}
              aria-current={key === openKey || undefined}
              onFocus={() => setCurrent(key)}
              onKeyDown={(event) => move(event, row)}
              onClick={onOpen && (() => onOpen(row))}
              className={classNames(
                'group/row focus-visible:outline-2! focus-visible:-outline-offset-2! focus-visible:outline-focus!',
                key === openKey ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={cellClass(column, 'h-11 border-b border-line py-1.5 group-last/row:border-0')}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Head<Row>({ columns, sticky }: { columns: readonly Column<Row>[]; sticky: boolean }) {
  return (
    <thead className={classNames(sticky && 'sticky top-0 z-10')}>
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={cellClass(
              column,
              'h-9 border-b border-line bg-surface text-small font-medium whitespace-nowrap text-muted',
            )}
          >
            {column.header || <span className="sr-only">Actions</span>}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function cellClass<Row>(column: Column<Row>, base: string): string {
  return classNames(
    base,
    'px-2 first:pl-5 last:pr-4 max-md:first:pl-4 max-md:last:pr-3',
    column.align === 'right' ? 'text-right' : 'text-left',
    column.from && fromClass[column.from],
    column.className,
  )
}

/** The table that is coming, with as many rows as are likely. */
export function TableSkeleton<Row>({ columns, rows = 4 }: { columns: readonly Column<Row>[]; rows?: number }) {
  const widths = ['w-40', 'w-28', 'w-20', 'w-24', 'w-16', 'w-12']
  return (
    <Waiting label="Loading">
      <table aria-hidden className="w-full border-separate border-spacing-0 text-dense">
        <Head columns={columns} sticky={false} />
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {columns.map((column, index) => (
                <td key={column.key} className={cellClass(column, 'h-11 border-b border-line')}>
                  <Skeleton className={classNames('h-3 max-w-full', widths[(index + row) % widths.length])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Waiting>
  )
}
