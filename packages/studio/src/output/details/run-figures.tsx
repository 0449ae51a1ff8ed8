import { formatDuration, type Run } from '@coherex/contract'
import type { ReactNode } from 'react'
import { useNow } from '../../ui/state/use-now.ts'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { formatMegabytes } from '../../words/quantity.ts'
import { languageNames, runTime } from '../run-words.ts'

/** The run in figures, in one line where there is room. */
export function RunFigures({ run }: { run: Run }) {
  const now = useNow(run.status === 'running')
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-small">
      <Figure name="Took">{runTime(run, now) ?? 'not begun'}</Figure>
      {run.status === 'queued' ? (
        <Figure name="Queue">{run.position ? `${run.position} ahead` : 'next'}</Figure>
      ) : (
        <Figure name="Waited">{formatDuration(run.queuedMs)}</Figure>
      )}
      <Figure name="Memory">
        {run.peakMemoryMb
          ? `${formatMegabytes(run.peakMemoryMb)} at most`
          : run.reportedBy === 'client'
            ? 'not known in a browser'
            : '–'}
      </Figure>
      <Figure name="Language">{languageNames[run.language]}</Figure>
      <Figure name="Runtime">{run.runtime?.name ?? '–'}</Figure>
      <Figure name="By">{run.createdBy.name}</Figure>
      {run.startedBy?.kind === 'agent' && run.startedBy.id && (
        <Figure name="For">
          <TextLink to="/executions/$id" params={{ id: run.startedBy.id }}>
            a turn of {run.startedBy.name ?? 'an agent'}
          </TextLink>
        </Figure>
      )}
      {run.startedBy?.kind === 'run' && run.startedBy.id && (
        <Figure name="Called by">
          <TextLink to="/executions/$id" params={{ id: run.startedBy.id }}>
            {run.startedBy.name ?? 'a run'}
          </TextLink>
        </Figure>
      )}
      {run.retryOf && (
        <Figure name="Retry of">
          <TextLink to="/executions/$id" params={{ id: run.retryOf }}>
            {run.retryOf.slice(0, 10)}…
          </TextLink>
        </Figure>
      )}
      <Figure name="Started">
        <Time at={run.createdAt} />
      </Figure>
    </dl>
  )
}

export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-1.5 whitespace-nowrap">
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium tabular">{children}</dd>
    </div>
  )
}
