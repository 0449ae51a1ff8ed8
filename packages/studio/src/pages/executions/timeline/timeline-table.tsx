import { formatDuration, type Timeline } from '@coherex/contract'
import { useState, type Ref } from 'react'
import { WindowedRows } from '../../../ui/list/windowed-rows.tsx'
import { StatusPill } from '../../../ui/pill.tsx'
import { useNow } from '../../../ui/state/use-now.ts'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { formatCost, formatTokens } from '../../../words/tokens.ts'
import { createTimeScale, type TimeScale } from './time-scale.ts'
import { toTimelineRows, type SpanLook, type TimelineRow } from './timeline-rows.ts'
import './timeline.css'

// a turn of a hundred steps is drawn whole, so that find in page finds it
const drawnWhole = 200

/** A turn drawn on one time axis. It is a table: who cannot see the bars reads the same figures. */
export function TimelineTable({ timeline }: { timeline: Timeline }) {
  const now = useNow(timeline.turn.endedAt === null)
  const scale = createTimeScale(timeline.phases, now)
  const rows = toTimelineRows(timeline, now)
  const [body, setBody] = useState<HTMLElement | null>(null)
  const isWindowed = rows.length > drawnWhole
  const draw = (index: number, measure?: (element: Element | null) => void) => {
    const row = rows[index]
    return row && <Row key={row.key} index={index} row={row} scale={scale} ref={measure} />
  }
  return (
    <div className="@container">
      <table
        aria-label="Timeline"
        aria-rowcount={isWindowed ? rows.length + 1 : undefined}
        className="w-full border-separate border-spacing-0 text-dense"
      >
        <thead>
          <tr className="[&>th]:h-9 [&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:text-left [&>th]:text-small [&>th]:font-medium [&>th]:whitespace-nowrap [&>th]:text-muted">
            <th scope="col" className="pl-4!">
              What
            </th>
            <th scope="col" className="w-full min-w-30">
              <span className="flex justify-between gap-4 tabular">
                <span>
                  <span className="sr-only">When, from </span>0
                </span>
                <span>{formatDuration(scale.endMs - scale.startMs)}</span>
              </span>
            </th>
            <th scope="col" className="text-right! @max-[760px]:hidden">
              First words
            </th>
            <th scope="col" className="text-right!">
              Took
            </th>
            <th scope="col" className="text-right! @max-[560px]:hidden">
              Tokens
            </th>
            <th scope="col" className="pr-4! text-right! @max-[560px]:hidden">
              Cost
            </th>
          </tr>
        </thead>
        <tbody ref={setBody}>
          {isWindowed ? (
            <WindowedRows body={body} count={rows.length} kept={0} columns={6} draw={draw} />
          ) : (
            rows.map((_, index) => draw(index))
          )}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  index: number
  row: TimelineRow
  scale: TimeScale
  ref: Ref<HTMLTableRowElement> | undefined
}

function Row({ index, row, scale, ref }: RowProps) {
  const { kind, title, status, use, firstTokenMs, tookMs } = row
  return (
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      className="[&>td]:border-b [&>td]:border-line [&>td]:px-2 [&>td]:py-1.5 [&>th]:border-b [&>th]:border-line last:[&>td]:border-0 last:[&>th]:border-0"
    >
      <th
        scope="row"
        className={`min-w-36 py-1.5 pr-2 text-left align-top font-normal ${kind === 'call' ? 'pl-9' : 'pl-4'}`}
      >
        <span className="flex items-center gap-2 whitespace-nowrap">
          <span className={kind === 'call' ? 'font-mono text-small' : 'font-medium'}>{title}</span>
          {status !== 'succeeded' && <StatusPill status={status} />}
        </span>
        <Notes row={row} />
      </th>
      <td className="w-full min-w-30 align-top">
        <Bars row={row} scale={scale} />
      </td>
      <Figure from="lg">{firstTokenMs === null ? '' : formatDuration(firstTokenMs)}</Figure>
      <Figure>{tookMs === null ? '' : formatDuration(tookMs)}</Figure>
      <Figure from="md">{use ? formatTokens(use.inputTokens + use.outputTokens) : ''}</Figure>
      <Figure from="md">{!use ? '' : use.costUsd === null ? 'unknown' : formatCost(use.costUsd)}</Figure>
    </tr>
  )
}

/** As wide as the place of the table is: beside a list there is less than the window has. */
const fromClass = { lg: '@max-[760px]:hidden', md: '@max-[560px]:hidden' }

function Figure({ from, children }: { from?: keyof typeof fromClass; children: string }) {
  return (
    <td className={`text-right align-top whitespace-nowrap tabular last:pr-4! ${from ? fromClass[from] : ''}`}>
      {children || <span className="text-faint">–</span>}
    </td>
  )
}

function Notes({ row: { notes, runs, turns } }: { row: TimelineRow }) {
  if (notes.length + runs.length + turns.length === 0) return null
  return (
    <ul className="mt-0.5 flex max-w-64 flex-col text-small text-muted">
      {notes.map((note, index) => (
        <li key={index} className="break-words">
          {note}
        </li>
      ))}
      {runs.map(({ id, language, status, durationMs }) => (
        <li key={id} className="whitespace-nowrap">
          <TextLink to="/executions/$id" params={{ id }}>
            {language} run
          </TextLink>{' '}
          {status === 'succeeded' ? formatDuration(durationMs) : status}
        </li>
      ))}
      {turns.map(({ id, agent, status }) => (
        <li key={id} className="whitespace-nowrap">
          <TextLink to="/executions/$id" params={{ id }}>
            asked {agent}
          </TextLink>{' '}
          {status}
        </li>
      ))}
    </ul>
  )
}

const looks: Record<SpanLook, string> = {
  queued: 'bg-line-strong',
  running: 'bg-blue/35',
  model: 'bg-accent',
  first: 'bg-accent/35',
  tool: 'bg-blue',
  failed: 'bg-red',
  waiting: 'timeline-rest text-amber',
  sleeping: 'timeline-rest text-muted',
  lost: 'timeline-rest text-red',
}

// what is shorter is still seen
const leastShare = 0.004

function Bars({ row: { spans }, scale }: { row: TimelineRow; scale: TimeScale }) {
  return (
    <span className="relative block h-5 rounded-sm bg-sunken">
      {spans.map(({ look, fromMs, toMs, words }, index) => {
        const left = Math.min(scale.at(fromMs), 1 - leastShare)
        const width = Math.max(leastShare, Math.min(1, scale.at(toMs)) - left)
        const when = `${formatDuration(fromMs - scale.startMs)} to ${formatDuration(toMs - scale.startMs)}`
        return (
          <span
            key={index}
            title={`${words}: ${formatDuration(toMs - fromMs)}, from ${when}`}
            style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
            className={`absolute inset-y-1 rounded-[3px] ${looks[look]}`}
          >
            <span className="sr-only">
              {words} from {when}.{' '}
            </span>
          </span>
        )
      })}
    </span>
  )
}
