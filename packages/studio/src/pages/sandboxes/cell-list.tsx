import type { RunSummary, Sandbox } from '@coherex/contract'
import { useEffect, useRef, useState, type UIEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { EndInSight } from '../../ui/end-in-sight.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { CellView } from './cell-view.tsx'
import { NewCell } from './new-cell.tsx'

interface CellListProps {
  sandbox: Sandbox
  cells: {
    items: RunSummary[] | undefined
    error: Error | null
    refetch: () => unknown
    hasNextPage: boolean
    fetchNextPage: () => unknown
    isFetchingNextPage: boolean
  }
}

/** What was run, oldest first, and the cell that comes next. */
export function CellList({ sandbox, cells }: CellListProps) {
  const { scroller, content, onScroll } = useEndInSight(cells.items?.[0]?.id)
  return (
    <div ref={scroller} onScroll={onScroll} className="flex min-h-0 flex-1 flex-col overflow-y-auto bg-canvas">
      <div ref={content} className="flex flex-col gap-3 px-5 py-4 max-md:px-3">
        {cells.hasNextPage && (
          <div className="flex justify-center">
            <Button size="small" busy={cells.isFetchingNextPage} onClick={() => void cells.fetchNextPage()}>
              Earlier cells
            </Button>
          </div>
        )}
        {cells.error && !cells.items && (
          <ErrorState doing="load the cells" error={cells.error} onRetry={() => void cells.refetch()} />
        )}
        {cells.items?.length === 0 && (
          <p className="py-6 text-center text-dense text-muted">
            Nothing ran here yet. What a cell defines, the next one has.
          </p>
        )}
        <ol className="flex flex-col gap-3" aria-label="Cells">
          {cells.items?.toReversed().map((cell) => (
            <li key={cell.id}>
              <CellView cell={cell} />
            </li>
          ))}
        </ol>
        {sandbox.status !== 'ended' && <NewCell sandbox={sandbox} />}
      </div>
    </div>
  )
}

/** Keeps the end in sight while output comes, until the reader scrolls up; a new cell is the end again. */
function useEndInSight(newest: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [end] = useState(() => new EndInSight())
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    end.go(element)
    // cells that are drawn late move the end away
    const observer = new ResizeObserver(() => end.keep(element))
    if (content.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [end, newest])
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => end.look(currentTarget)
  return { scroller, content, onScroll }
}
