import { ArrowDown, ArrowUp, Download } from 'lucide-react'
import { useMemo, useState, type CSSProperties } from 'react'
import { saveFile } from '../data/save-file.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { SearchInput } from '../ui/list/search-input.tsx'
import { formatNumber } from '../words/quantity.ts'
import { toCsv } from './frame-csv.ts'
import { arrangeRows, textOfCell, type Frame, type FrameOrder } from './frame.ts'

interface FrameTableProps {
  /** Read aloud, and the name of the file. */
  name: string
  frame: Frame
  /** The number of its first row. */
  offset?: number
  /** As high as what it is in. */
  fills?: boolean
}

const rowPx = 26
const mostPx = 420
const overscan = 10
const longestCell = 500

/** A data frame: sorted by a click on a column, filtered by words, saved as CSV. Only rows in sight are drawn. */
export function FrameTable({ name, frame, offset = 0, fills = false }: FrameTableProps) {
  const { columns, rows, total } = frame
  const [words, setWords] = useState('')
  const [order, setOrder] = useState<FrameOrder>()
  const [seen, setSeen] = useState({ top: 0, height: mostPx })
  const places = useMemo(() => arrangeRows(rows, words, order), [rows, words, order])
  const isNumeric = useMemo(
    () => columns.map((_, at) => rows.some((row) => typeof row[at] === 'number')),
    [columns, rows],
  )
  const first = Math.max(0, Math.floor(seen.top / rowPx) - overscan)
  const drawn = places.slice(first, first + Math.ceil(seen.height / rowPx) + 2 * overscan)
  const gapBelow = (places.length - first - drawn.length) * rowPx

  function sortBy(column: number) {
    // up, down, as it came
    if (order?.column !== column) setOrder({ column, isDown: false })
    else setOrder(order.isDown ? undefined : { column, isDown: true })
  }
  function save() {
    const shown = places.map((at) => rows[at] ?? [])
    saveFile(toCsv({ columns, rows: shown }), `${name.replace(/[^\w.-]+/g, '-') || 'table'}.csv`, 'text/csv')
  }
  return (
    <div className={classNames('flex min-w-0 flex-col', fills && 'min-h-0 flex-1')}>
      <div className="flex flex-wrap items-center gap-2 px-1 py-1 text-small">
        <SearchInput label="Filter rows" value={words} onSearch={setWords} />
        <span aria-live="polite" className="text-muted tabular">
          {countWords({ matching: places.length, rows: rows.length, total, isFiltered: words !== '' })}
        </span>
        <Button size="small" look="quiet" className="ml-auto" icon={<Download aria-hidden />} onClick={save}>
          CSV
        </Button>
      </div>
      <div
        // oxlint-disable-next-line jsx_a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
        tabIndex={0}
        role="region"
        aria-label={`Rows of ${name}`}
        onScroll={({ currentTarget: { scrollTop: top, clientHeight: height } }) => setSeen({ top, height })}
        className={classNames('overflow-auto border-t border-line', fills && 'min-h-0 flex-1')}
        style={fills ? undefined : { maxHeight: mostPx }}
      >
        <table aria-rowcount={places.length + 1} className="border-separate border-spacing-0 font-mono text-small">
          <thead className="sticky top-0 z-10 bg-surface">
            <tr>
              <th scope="col" className="border-b border-line px-2 py-1 text-right font-normal text-muted">
                #
              </th>
              {columns.map(({ name: column, type }, at) => (
                <th
                  // frames may have columns of one name
                  key={at}
                  scope="col"
                  aria-sort={order?.column !== at ? 'none' : order.isDown ? 'descending' : 'ascending'}
                  className="border-b border-line p-0 font-medium whitespace-nowrap"
                >
                  <button
                    type="button"
                    title={type}
                    onClick={() => sortBy(at)}
                    className={classNames(
                      'flex w-full items-center gap-1 px-2 py-1 hover:bg-hover focus-visible:-outline-offset-2',
                      isNumeric[at] && 'justify-end',
                    )}
                  >
                    {column || <span className="text-muted">index</span>}
                    {order?.column === at && <Arrow isDown={order.isDown} />}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap heightPx={first * rowPx} columns={columns.length + 1} />
            {drawn.map((at, index) => (
              <tr key={at} aria-rowindex={first + index + 2} className="hover:bg-hover" style={rowStyle}>
                <th scope="row" className="border-b border-line px-2 text-right font-normal text-muted tabular">
                  {offset + at}
                </th>
                {columns.map((_, column) => (
                  <td
                    key={column}
                    className={classNames(
                      'max-w-80 truncate border-b border-line px-2 whitespace-nowrap',
                      isNumeric[column] && 'text-right tabular',
                    )}
                  >
                    <Cell value={rows[at]?.[column]} />
                  </td>
                ))}
              </tr>
            ))}
            <Gap heightPx={gapBelow} columns={columns.length + 1} />
          </tbody>
        </table>
      </div>
    </div>
  )
}

const rowStyle: CSSProperties = { height: rowPx }

function Arrow({ isDown }: { isDown: boolean }) {
  const Icon = isDown ? ArrowDown : ArrowUp
  return <Icon aria-hidden className="size-3 text-muted" />
}

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="text-muted">–</span>
  return textOfCell(value).slice(0, longestCell)
}

function Gap({ heightPx, columns }: { heightPx: number; columns: number }) {
  if (heightPx <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height: heightPx, padding: 0 }} />
    </tr>
  )
}

interface Counted {
  matching: number
  rows: number
  total: number
  isFiltered: boolean
}

function countWords({ matching, rows, total, isFiltered }: Counted): string {
  const all = `${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'}`
  const of = rows < total ? `${formatNumber(rows)} of ${formatNumber(total)} rows` : all
  return isFiltered ? `${formatNumber(matching)} of ${all} match` : of
}
