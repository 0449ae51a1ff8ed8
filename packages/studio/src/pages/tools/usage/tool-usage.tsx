import { formatDuration, type ToolUsage } from '@coherex/contract'
import { useState } from 'react'
import { useToolUsage } from '../../../data/library/tool.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { Table, type Column } from '../../../ui/list/table.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { DayBars } from './day-bars.tsx'

const spans = [7, 14, 30, 90]

/** How often a tool was called, how long that took, what failed, and by whom. */
export function ToolUsageTab({ name }: { name: string }) {
  const [days, setDays] = useState(14)
  const { data, error, refetch } = useToolUsage(name, days)
  if (!data) {
    if (error) return <ErrorState doing="load the usage" error={error} onRetry={() => void refetch()} />
    return <WaitingLines label="Loading the usage" className="p-4" lines={['h-4', 'h-16']} />
  }
  return (
    <div className="flex flex-col gap-5 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <dl className="flex flex-wrap gap-x-6 gap-y-2">
          {figuresOf(data).map(([label, value]) => (
            <div key={label}>
              <dt className="text-small text-muted">{label}</dt>
              <dd className="text-lead font-medium tabular">{value}</dd>
            </div>
          ))}
        </dl>
        <Segmented
          label="Days"
          value={String(days)}
          choices={spans.map((span) => ({ value: String(span), label: `${span} days` }))}
          onChange={(next) => setDays(Number(next))}
        />
      </div>
      <DayBars days={data.byDay} />
      <Part title="By version" isEmpty={data.byVersion.length === 0}>
        <Table
          label="Calls by version"
          columns={versionColumns}
          rows={data.byVersion}
          rowKey={({ version }) => String(version)}
        />
      </Part>
      <Part title="Called by" isEmpty={data.callers.length === 0}>
        <Table
          label="Callers"
          columns={callerColumns}
          rows={data.callers}
          rowKey={({ kind, name: caller }) => `${kind} ${caller}`}
        />
      </Part>
    </div>
  )
}

function Part({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-dense font-medium">{title}</h3>
      {isEmpty ? <p className="text-dense text-muted">No calls yet</p> : children}
    </section>
  )
}

type Counts = ToolUsage['byVersion'][number]

const time = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

function figuresOf({ calls, failed, invalidInput, invalidOutput, p50Ms, p95Ms }: ToolUsage): [string, string][] {
  return [
    ['Calls', String(calls)],
    ['Failed', String(failed)],
    ['Input refused', String(invalidInput)],
    ['Output refused', String(invalidOutput)],
    ['Median', time(p50Ms)],
    ['95th percentile', time(p95Ms)],
  ]
}

const count = (key: 'calls' | 'failed' | 'invalidInput' | 'invalidOutput', header: string): Column<Counts> => ({
  ...{ key, header, align: 'right' as const, cell: (row: Counts) => row[key] },
  ...(key === 'calls' || key === 'failed' ? {} : { from: 'sm' as const }),
})

const versionColumns: Column<Counts>[] = [
  { key: 'version', header: 'Version', cell: ({ version }) => `Version ${version}` },
  count('calls', 'Calls'),
  count('failed', 'Failed'),
  count('invalidInput', 'Input refused'),
  count('invalidOutput', 'Output refused'),
  { key: 'p50', header: 'Median', align: 'right', from: 'md', cell: ({ p50Ms }) => time(p50Ms) },
  { key: 'p95', header: '95th', align: 'right', from: 'md', cell: ({ p95Ms }) => time(p95Ms) },
]

const kindNames: Record<ToolUsage['callers'][number]['kind'], string> = {
  person: 'Person',
  key: 'API key',
  agent: 'Agent',
  tool: 'Tool',
  run: 'Code of a run',
  schedule: 'Schedule',
  webhook: 'Webhook',
  event: 'Event',
}

const callerColumns: Column<ToolUsage['callers'][number]>[] = [
  { key: 'name', header: 'Caller', className: 'w-full', cell: ({ name }) => name },
  { key: 'kind', header: 'Kind', cell: ({ kind }) => kindNames[kind] },
  { key: 'versions', header: 'Versions', cell: ({ versions }) => versions.join(', ') },
  { key: 'calls', header: 'Calls', align: 'right', cell: ({ calls }) => calls },
]
