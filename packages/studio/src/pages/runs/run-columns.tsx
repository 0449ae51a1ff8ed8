import type { RunSummary } from '@coherex/contract'
import { languageNames, runTime } from '../../output/run-words.ts'
import { NamedPerson } from '../../ui/list/named-person.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { Time } from '../../ui/time.tsx'
import { formatMegabytes } from '../../words/quantity.ts'

interface ColumnsOptions {
  now: number
  /** Beside open details there is room for less. */
  narrow: boolean
}

export function runColumns({ now, narrow }: ColumnsOptions): Column<RunSummary>[] {
  const columns: (Column<RunSummary> & { also?: true })[] = [
    { key: 'status', header: 'Status', cell: ({ status }) => <StatusPill status={status} /> },
    {
      key: 'code',
      header: 'Code',
      className: 'w-full max-w-0',
      cell: (run) => (
        <span className="block min-w-0">
          <code className="block truncate text-small [font-variant-ligatures:none]">{run.firstLine || '(empty)'}</code>
          {run.error && (
            <span className="block truncate text-small text-muted">
              {run.error.kind === 'cancelled' ? 'stopped' : run.error.message.split('\n')[0]}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'language',
      header: 'Language',
      from: 'md',
      cell: ({ language }) => <span className="whitespace-nowrap">{languageNames[language]}</span>,
    },
    {
      key: 'who',
      header: 'By',
      from: 'lg',
      also: true,
      cell: ({ createdBy }) => <NamedPerson name={createdBy.name} />,
    },
    {
      key: 'time',
      header: 'Took',
      align: 'right',
      from: 'sm',
      cell: (run) => <span className="whitespace-nowrap tabular">{runTime(run, now) ?? '–'}</span>,
    },
    {
      key: 'memory',
      header: 'Memory',
      align: 'right',
      from: 'xl',
      also: true,
      cell: ({ peakMemoryMb }) => (
        <span className="whitespace-nowrap text-muted">{peakMemoryMb ? formatMegabytes(peakMemoryMb) : '–'}</span>
      ),
    },
    { key: 'when', header: 'When', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  return narrow ? columns.filter(({ also }) => !also) : columns
}
