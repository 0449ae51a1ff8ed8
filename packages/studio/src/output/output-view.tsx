import { formatDuration } from '@coherex/contract'
import { ArrowDown } from 'lucide-react'
import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode, type UIEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EndInSight } from '../ui/state/end-in-sight.ts'
import { AnsiText } from './ansi-text.tsx'
import { DisplayBlock } from './display-block.tsx'
import type { OutputBlock, OutputLog, OutputRow, TextStream } from './output-log.ts'
import { estimateHeight, visibleBlocks } from './visible-blocks.ts'

interface OutputViewProps {
  log: OutputLog
  /** Changes when the log has grown. */
  version: number
  /** More may come: keep the end in sight until the reader scrolls up. */
  live: boolean
}

const displayPx = 200
// what is over sooner is read from its head
const followAfterMs = 1000
const characterPx = 7.2

/** What a run printed. Only the part in sight is drawn, so that a megabyte scrolls like a page. */
export function OutputView({ log, version, live }: OutputViewProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [end] = useState(() => new EndInSight())
  const [view, setView] = useState({ top: 0, height: 600, width: 800 })
  const [following, setFollowing] = useState(live)
  const [lasts, setLasts] = useState(false)
  const [measured, setMeasured] = useState(0)

  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      setView((before) => ({ ...before, height: element.clientHeight, width: element.clientWidth }))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!live) return undefined
    const timer = setTimeout(() => setLasts(true), followAfterMs)
    return () => clearTimeout(timer)
  }, [live])
  useLayoutEffect(() => {
    const element = scroller.current
    if (following && lasts && element) end.keep(element)
  }, [end, following, lasts, version, measured, view.height])

  function scroll({ currentTarget: element }: UIEvent<HTMLDivElement>) {
    end.look(element)
    // what was printed last is still being drawn when the run has ended
    setFollowing((before) => end.isFollowing && (live || before))
    setView((before) => ({ ...before, top: element.scrollTop }))
  }

  function follow() {
    if (scroller.current) end.go(scroller.current)
    setFollowing(true)
  }

  const columns = Math.floor((view.width - (log.hasOtherStreams ? 84 : 32)) / characterPx)
  const likely = log.blocks.map((block) => heightOf(block, columns))
  const { first, end: last, before, after } = visibleBlocks(likely, view)
  return (
    // as high as what it shows: what comes after the output stands below it
    <div className="relative flex min-h-0 flex-initial flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label="Output"
        tabIndex={0}
        onScroll={scroll}
        className={classNames(
          'min-h-0 flex-initial overflow-x-hidden overflow-y-auto px-4 py-2 focus-visible:-outline-offset-2',
          // the browser would hold on to a line of its own choice, as if the reader had gone up to it
          following && '[overflow-anchor:none]',
        )}
      >
        <div style={{ height: before }} />
        {log.blocks.slice(first, last).map((block) => (
          <Measured
            key={block.id}
            onHeight={(height) => {
              if (measuredHeights.get(block) === height) return
              measuredHeights.set(block, height)
              setMeasured((count) => count + 1)
            }}
          >
            <Block block={block} version={block.version} labelled={log.hasOtherStreams} />
          </Measured>
        ))}
        <div style={{ height: after }} />
      </div>
      {live && !following && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="small"
            className="pointer-events-auto shadow-float"
            icon={<ArrowDown aria-hidden />}
            onClick={follow}
          >
            Follow output
          </Button>
        </div>
      )}
    </div>
  )
}

// outside of the view: a block keeps its height while it is out of sight, and there may be a thousand blocks
const measuredHeights = new WeakMap<OutputBlock, number>()
const likelyHeights = new WeakMap<OutputBlock, { version: number; columns: number; height: number }>()

/** How high a block is, or is likely to be before it was drawn. */
function heightOf(block: OutputBlock, columns: number): number {
  const measured = measuredHeights.get(block)
  if (measured !== undefined) return measured
  if (block.kind === 'display') return displayPx
  const last = likelyHeights.get(block)
  if (last?.version === block.version && last.columns === columns) return last.height
  const height = estimateHeight(block.rows, columns)
  likelyHeights.set(block, { version: block.version, columns, height })
  return height
}

function Measured({ children, onHeight }: { children: ReactNode; onHeight: (height: number) => void }) {
  const element = useRef<HTMLDivElement>(null)
  const tell = useEffectEvent(onHeight)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return undefined
    tell(shown.offsetHeight)
    const observer = new ResizeObserver(() => tell(shown.offsetHeight))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={element} className="flow-root">
      {children}
    </div>
  )
}

interface BlockProps {
  block: OutputBlock
  version: number
  labelled: boolean
}

const Block = memo(function Block({ block, labelled }: BlockProps) {
  if (block.kind === 'display') return <DisplayBlock data={block.data} />
  return block.rows.map((row, index) => (
    <Row key={index} row={row} label={labelled && block.rows[index - 1]?.stream !== row.stream} labelled={labelled} />
  ))
})

const tones: Partial<Record<TextStream, string>> = {
  stderr: 'border-red text-red',
  error: 'border-red text-red',
  warn: 'border-amber text-amber',
  info: 'border-blue text-blue',
  debug: 'border-control text-muted',
}

function Row({ row, label, labelled }: { row: OutputRow; label: boolean; labelled: boolean }) {
  const tone = tones[row.stream]
  return (
    <div
      className="flex font-mono text-small leading-5 [font-variant-ligatures:none]"
      title={row.at > 0 ? `after ${formatDuration(row.at)}` : undefined}
    >
      {labelled && (
        <span
          className={classNames(
            'mr-2.5 w-12.5 shrink-0 border-l-2 pl-1.5 text-[11px] select-none',
            tone ?? 'border-transparent text-faint',
          )}
        >
          {label ? (tone ? row.stream : row.stream === 'stdout' ? 'stdout' : 'log') : ''}
        </span>
      )}
      <span
        dir="auto"
        className="min-h-5 min-w-0 flex-1 [unicode-bidi:isolate] text-left break-words whitespace-pre-wrap"
      >
        <AnsiText spans={row.spans} />
      </span>
    </div>
  )
}
