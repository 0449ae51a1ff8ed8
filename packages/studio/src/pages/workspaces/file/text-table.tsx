import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { formatNumber } from '../../../words/quantity.ts'
import { parseTable } from './parse-table.ts'

const rowPx = 28

interface TextTableProps {
  label: string
  text: string
  /** The text is only the beginning of a file. */
  isBeginning?: boolean
}

/** Values between commas as a table, of which only the rows in sight are drawn. */
export function TextTable({ label, text, isBeginning = false }: TextTableProps) {
  const { header, rows, isNumber, isCut } = useMemo(() => parseTable(text), [text])
  const widths = useMemo(() => header.map((name, column) => widthOf(name, rows, column)), [header, rows])
  const frame = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed to memoized parts
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 20,
  })
  const hasMore = isCut || isBeginning
  // rows are moved and not laid out anew while they are scrolled: nothing else on the page shifts
  const columns = { gridTemplateColumns: `64px ${widths.map((width) => `${width}px`).join(' ')}` }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p className="shrink-0 border-b border-line px-4 py-1.5 text-small text-muted tabular">
        {hasMore ? 'The first ' : ''}
        {formatNumber(rows.length)} {rows.length === 1 ? 'row' : 'rows'}, {formatNumber(header.length)}{' '}
        {header.length === 1 ? 'column' : 'columns'}
        {hasMore ? '. Download the file to see the rest.' : ''}
      </p>
      <div
        ref={frame}
        role="region"
        aria-label={label}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
      >
        <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className="w-max text-dense tabular">
          <div role="rowgroup" className="sticky top-0 z-10">
            <div role="row" aria-rowindex={1} style={columns} className="grid h-8">
              <span role="columnheader" className="border-r border-b border-line bg-canvas">
                <span className="sr-only">Row</span>
              </span>
              {header.map((name, column) => (
                <span
                  key={column}
                  role="columnheader"
                  title={name}
                  className={cellClass(isNumber[column], 'bg-canvas leading-8 font-medium')}
                >
                  {name}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                style={{ ...columns, transform: `translateY(${start}px)` }}
                className="absolute top-0 left-0 grid h-7 leading-7 hover:bg-hover"
              >
                <span
                  role="rowheader"
                  className="truncate border-r border-b border-line bg-canvas px-2 text-right text-small leading-7! text-muted"
                >
                  {index + 1}
                </span>
                {header.map((_name, column) => (
                  <span
                    key={column}
                    role="cell"
                    title={rows[index]?.[column]}
                    className={cellClass(isNumber[column], '')}
                  >
                    {rows[index]?.[column]}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

function cellClass(isNumber: boolean | undefined, more: string): string {
  return classNames('truncate border-r border-b border-line px-2.5', isNumber ? 'text-right' : 'text-left', more)
}

/** Of the first rows: a column keeps its width while it is scrolled. */
function widthOf(name: string, rows: readonly string[][], column: number): number {
  const longest = rows.slice(0, 100).reduce((most, row) => Math.max(most, row[column]?.length ?? 0), name.length)
  return Math.min(360, Math.max(64, longest * 7.5 + 24))
}
