import { formatDuration, type Run } from '@coherex/contract'
import type { ReactNode } from 'react'
import { ShortId } from '../../ui/text/copy.tsx'
import { formatMegabytes } from '../../words/quantity.ts'
import { exactTime } from '../../words/relative-time.ts'
import { LockDetails } from './lock-details.tsx'
import { RuntimeVerdicts } from './runtime-verdicts.tsx'

/** Which runtime took the run and why, and the rest of what is recorded. */
export function RunReceipt({ run }: { run: Run }) {
  const { runtime } = run
  return (
    <div className="flex flex-col gap-5 px-4 py-4 text-dense">
      <section>
        <h2 className="mb-1.5 font-medium">Runtime</h2>
        {runtime ? <RuntimeVerdicts {...runtime} /> : <p className="text-muted">Not chosen yet.</p>}
      </section>
      {runtime?.lock && (
        <section>
          <h2 className="mb-1.5 font-medium">Packages</h2>
          <LockDetails lock={runtime.lock} isOpen />
        </section>
      )}
      {runtime?.base && (
        <section>
          <h2 className="mb-1.5 font-medium">Packages of the base stack</h2>
          <ul aria-label="Packages of the base stack" className="text-muted">
            {runtime.base.map(({ name, version }) => (
              <li key={name}>
                <span className="font-mono">{name}</span> <span className="tabular">{version}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="grid grid-cols-[104px_1fr] items-baseline gap-x-3 gap-y-2">
        <Line name="Run">
          <ShortId id={run.id} className="-ml-1" />
        </Line>
        <Line name="Code hash">
          <ShortId id={run.codeHash} className="-ml-1" />
        </Line>
        <Line name="Created">{exactTime(run.createdAt)}</Line>
        {run.startedAt && <Line name="Began">{exactTime(run.startedAt)}</Line>}
        {run.endedAt && <Line name="Ended">{exactTime(run.endedAt)}</Line>}
        <Line name="Waited">{formatDuration(run.queuedMs)}</Line>
        <Line name="Took">{run.endedAt ? formatDuration(run.durationMs) : '–'}</Line>
        <Line name="Peak memory">
          {run.peakMemoryMb
            ? formatMegabytes(run.peakMemoryMb)
            : run.reportedBy === 'client'
              ? 'not known in a browser'
              : 'not measured'}
        </Line>
        <Line name="Output">{run.truncated ? 'cut at its limit' : 'whole'}</Line>
      </dl>
    </div>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
