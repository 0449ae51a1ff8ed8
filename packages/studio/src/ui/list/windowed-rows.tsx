import { defaultRangeExtractor, useVirtualizer, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useLayoutEffect, useState, type ReactNode } from 'react'

export interface WindowedRowsProps {
  /** What holds the rows. */
  body: HTMLElement | null
  count: number
  /** A row that stays drawn, such as the one with the focus. */
  kept: number
  /** How many columns a gap goes over. */
  columns: number
  draw: (index: number, measure: (element: Element | null) => void) => ReactNode
}

interface Place {
  /** Undefined is the page. */
  scroller: HTMLElement | undefined
  /** What comes before the rows in what scrolls. */
  above: number
}

const likelyPx = 45
const overscan = 8

/** The rows in sight, and gaps as high as those that are not. */
export function WindowedRows(props: WindowedRowsProps) {
  const { body } = props
  const [place, setPlace] = useState<Place>()
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- after each drawing, since filters above the list come and go
  useLayoutEffect(() => {
    if (!body) return
    const scroller = scrollerOf(body)
    const top = body.getBoundingClientRect().top
    const above = Math.round(scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + scrollY)
    // oxlint-disable-next-line react/set-state-in-effect -- where it stands is known once it is drawn, and told when it differs
    if (scroller !== place?.scroller || above !== place?.above) setPlace({ scroller, above })
  })
  if (!place) return null
  const { scroller, above } = place
  return scroller ? (
    <RowsInElement {...props} scroller={scroller} above={above} />
  ) : (
    <RowsInPage {...props} above={above} />
  )
}

function RowsInElement({ scroller, above, ...rows }: WindowedRowsProps & { scroller: HTMLElement; above: number }) {
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed to memoized parts
  const virtualizer = useVirtualizer({ ...optionsOf(rows, above), getScrollElement: () => scroller })
  return <Rows {...rows} above={above} virtualizer={virtualizer} />
}

function RowsInPage({ above, ...rows }: WindowedRowsProps & { above: number }) {
  // oxlint-disable-next-line react/incompatible-library -- as above
  const virtualizer = useWindowVirtualizer(optionsOf(rows, above))
  return <Rows {...rows} above={above} virtualizer={virtualizer} />
}

function optionsOf({ count, kept }: WindowedRowsProps, above: number) {
  return {
    count,
    overscan,
    scrollMargin: above,
    initialRect: { width: 1000, height: 800 },
    estimateSize: () => likelyPx,
    // a table that is not shown has no heights
    measureElement: (element: Element) => element.getBoundingClientRect().height || likelyPx,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...(kept < count ? [kept] : [])])].toSorted((a, b) => a - b),
  }
}

interface RowsProps extends WindowedRowsProps {
  above: number
  virtualizer: Pick<
    ReturnType<typeof useVirtualizer<HTMLElement, Element>>,
    'getVirtualItems' | 'getTotalSize' | 'measureElement'
  >
}

function Rows({ draw, columns, above, virtualizer }: RowsProps) {
  const drawn: ReactNode[] = []
  let end = above
  for (const item of virtualizer.getVirtualItems()) {
    if (item.start > end) drawn.push(<Gap key={`before ${item.index}`} heightPx={item.start - end} columns={columns} />)
    drawn.push(draw(item.index, virtualizer.measureElement))
    end = item.end
  }
  const rest = above + virtualizer.getTotalSize() - end
  if (rest > 0) drawn.push(<Gap key="rest" heightPx={rest} columns={columns} />)
  return drawn
}

function Gap({ heightPx, columns }: { heightPx: number; columns: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height: heightPx, padding: 0 }} />
    </tr>
  )
}

function scrollerOf(element: Element): HTMLElement | undefined {
  for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
    const { overflowY } = getComputedStyle(parent)
    if (overflowY === 'auto' || overflowY === 'scroll') return parent
  }
  return undefined
}
