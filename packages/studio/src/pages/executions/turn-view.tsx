import { CoherexError, type Timeline } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { timelineQuery } from '../../data/execution.ts'
import { Figure } from '../../output/details/run-figures.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/state/use-now.ts'
import { ShortId } from '../../ui/text/copy.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { formatCost, formatTokens } from '../../words/tokens.ts'
import { startWords, tookWords } from './execution-words.ts'
import { toTimelineRows } from './timeline/timeline-rows.ts'
import { TimelineTable } from './timeline/timeline-table.tsx'
import { TurnActions } from './turn-actions.tsx'

interface TurnViewProps {
  id: string
  onNext: (id: string) => void
  onClose?: () => void
}

/** A turn as it goes, or as it went. */
export function TurnView({ id, onNext, onClose }: TurnViewProps) {
  const { data: timeline, error, refetch } = useQuery(timelineQuery(id))
  if (!timeline) return error ? <TurnMissing error={error} onRetry={() => void refetch()} /> : <TurnWaiting />
  const { turn, isDead } = timeline
  const { ending } = turn
  const Heading = onClose ? 'h2' : 'h1'
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex shrink-0 flex-col gap-2.5 border-b border-line bg-canvas px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-wrap items-center gap-2.5">
            <Heading className="text-lead font-semibold">Turn of {turn.agent}</Heading>
            <StatusPill status={statusOf(timeline)} />
            <ShortId id={id} />
          </div>
          <TurnActions turn={turn} onNext={onNext} onClose={onClose} />
        </div>
        <TurnFigures timeline={timeline} />
        {ending && ending.kind !== 'answered' && (
          <Callout tone="warning">
            {isDead && <strong className="font-semibold">Given up. </strong>}
            {ending.message}.
          </Callout>
        )}
      </header>
      <div className="flex min-h-0 flex-1 flex-col overflow-auto bg-surface">
        <TimelineTable timeline={timeline} />
        <Words name="Input" text={timeline.input} />
        <Words name="Output" text={timeline.output} />
      </div>
    </div>
  )
}

function TurnFigures({ timeline: { turn, sandboxId, retriedBy, continuedBy } }: { timeline: Timeline }) {
  const now = useNow(turn.endedAt === null)
  const { startedAt, endedAt, use, startedBy, retryOf, continues } = turn
  const durationMs = startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : null
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-small">
      <Figure name="Took">{tookWords({ startedAt, endedAt, durationMs }, now) ?? 'not begun'}</Figure>
      {turn.position !== null && <Figure name="In the queue">number {turn.position}</Figure>}
      {turn.wakesAt && (
        <Figure name="Wakes">
          <Time at={turn.wakesAt} />
        </Figure>
      )}
      <Figure name="Tokens">
        {formatTokens(use.inputTokens)} in, {formatTokens(use.outputTokens)} out
      </Figure>
      <Figure name="Cost">{formatCost(use.costUsd)}</Figure>
      <Figure name="Model">{turn.model}</Figure>
      <Figure name="Version">{String(turn.agentVersion)}</Figure>
      <Figure name="Started by">{startWords(startedBy, turn.createdBy.name)}</Figure>
      {startedBy.kind === 'agent' && startedBy.id && <Linked name="Asked by" ids={[startedBy.id]} />}
      {sandboxId && <Figure name="Sandbox">{sandboxId.slice(0, 10)}…</Figure>}
      {retryOf && <Linked name="Retry of" ids={[retryOf]} />}
      {continues && <Linked name="Continues" ids={[continues]} />}
      {retriedBy.length > 0 && <Linked name="Retried" ids={retriedBy} />}
      {continuedBy.length > 0 && <Linked name="Continued" ids={continuedBy} />}
      <Figure name="Begun">
        <Time at={turn.createdAt} />
      </Figure>
    </dl>
  )
}

function Linked({ name, ids }: { name: string; ids: readonly string[] }) {
  return (
    <Figure name={name}>
      {ids.map((id) => (
        <span key={id} className="mr-1.5">
          <TextLink to="/executions/$id" params={{ id }}>
            {id.slice(0, 11)}…
          </TextLink>
        </span>
      ))}
    </Figure>
  )
}

function Words({ name, text }: { name: string; text: string }) {
  if (text === '') return null
  return (
    <section aria-label={name} className="border-t border-line px-4 py-3">
      <h3 className="mb-1 text-small font-medium text-muted">{name}</h3>
      <p className="max-w-220 text-body break-words whitespace-pre-wrap">{text}</p>
    </section>
  )
}

function statusOf(timeline: Timeline) {
  const [whole] = toTimelineRows({ ...timeline, steps: [] }, 0)
  return whole?.status ?? 'queued'
}

function TurnWaiting() {
  const lines = ['h-5 w-48', 'h-3 w-96', 'mt-4 h-5 w-full', 'h-5 w-full', 'h-5 w-full']
  return <WaitingLines label="Loading the turn" className="gap-3 p-4" lines={lines} />
}

function TurnMissing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof CoherexError) || error.code !== 'not_found')
    return <ErrorState doing="load the turn" error={error} onRetry={onRetry} />
  return (
    <Empty icon={SearchX} title="Turn not found" action={<LinkButton to="/executions">All executions</LinkButton>}>
      It belongs to another team, or its address is wrong.
    </Empty>
  )
}
