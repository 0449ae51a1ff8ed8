import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton, Waiting } from '../skeleton.tsx'
import { cellClass, type Column } from './column.ts'
import { nextRow } from './table-keys.ts'
import { TableRow, type RowLink } from './table-row.tsx'
import { WindowedRows } from './windowed-rows.tsx'

export type { Column } from './column.ts'

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The address of a row, for a new tab and to copy. */
  linkOf?: ((row: Row) => RowLink | undefined) | undefined
  /** What Enter and a plain click do instead of following the link. */
  onOpen?: ((row: Row) => void) | undefined
  openKey?: string | undefined
  /** A header that stays in sight needs a parent that scrolls. */
  stickyHeader?: boolean | undefined
}

// what fits is drawn whole, so that find in page finds it
const drawnWhole = 100

/**
 * A list with one tab stop: arrows or j and k move, Home and End jump, Enter opens, with Ctrl or Cmd in a new tab.
 * Of a long list only what is in sight is drawn: find in page finds no more than that, the list's own search does.
 */
export function Table<Row>({ label, columns, rows, stickyHeader = false, ...list }: TableProps<Row>) {
  const { rowKey, linkOf, onOpen, openKey } = list
  const [current, setCurrent] = useState<string>()
  const [body, setBody] = useState<HTMLElement | null>(null)
  const toFocus = useRef<number>(undefined)
  const found = current === undefined ? -1 : rows.findIndex((row) => rowKey(row) === current)
  const tabStop = Math.max(found, 0)
  const isWindowed = rows.length > drawnWhole

  function move(event: KeyboardEvent<HTMLTableRowElement>, index: number) {
    // keys typed in a control of the row belong to that control
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && linkOf) {
      event.preventDefault()
      const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[data-row-link]')
      if (event.ctrlKey || event.metaKey) window.open(link?.href, '_blank', 'noopener')
      else link?.click()
      return
    }
    const target = nextRow(event.key, index, rows.length)
    const row = target === undefined ? undefined : rows[target]
    if (target === undefined || row === undefined) return
    event.preventDefault()
    if (target === index) return
    setCurrent(rowKey(row))
    toFocus.current = target
  }
  // once it is drawn
  useLayoutEffect(() => {
    if (toFocus.current === undefined) return
    body?.querySelector<HTMLElement>(`tr[data-index="${toFocus.current}"]`)?.focus()
    toFocus.current = undefined
  })

  const draw = (index: number, measure?: (element: Element | null) => void) => {
    const row = rows[index]
    if (row === undefined) return null
    const key = rowKey(row)
    return (
      <TableRow
        key={key}
        index={index}
        row={row}
        columns={columns}
        link={linkOf?.(row)}
        isOpen={key === openKey}
        isTabStop={index === tabStop}
        isLast={index === rows.length - 1}
        onOpen={onOpen && (() => onOpen(row))}
        onFocus={() => setCurrent(key)}
        onKeyDown={(event) => move(event, index)}
        ref={measure}
      />
    )
  }
  return (
    <table
      aria-label={label}
      aria-rowcount={isWindowed ? rows.length + 1 : undefined}
      className="w-full border-separate border-spacing-0 text-dense"
    >
      <Head columns={columns} sticky={stickyHeader} />
      <tbody ref={setBody}>
        {isWindowed ? (
          <WindowedRows body={body} count={rows.length} kept={tabStop} columns={columns.length} draw={draw} />
        ) : (
          rows.map((_, index) => draw(index))
        )}
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
