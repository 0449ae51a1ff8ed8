import type { ExecutionSummary } from '@coherex/contract'
import { Bot, SquareTerminal } from 'lucide-react'
import { isPlainStop, languageNames } from '../../output/run-words.ts'
import type { Column } from '../../ui/list/table.tsx'
import { Pill, StatusPill } from '../../ui/pill.tsx'
import { Time } from '../../ui/text/time.tsx'
import { formatCost, formatTokens } from '../../words/tokens.ts'
import { RowMenu } from '../runs/execution-actions.tsx'
import { firstLine, startWords, tookWords } from './execution-words.ts'

interface ColumnsOptions {
  now: number
  /** Beside open details there is room for less. */
  narrow: boolean
  onStarted: (id: string) => void
}

export function executionColumns({ now, narrow, onStarted }: ColumnsOptions): Column<ExecutionSummary>[] {
  const columns: (Column<ExecutionSummary> & { also?: true })[] = [
    { key: 'status', header: 'Status', cell: (one) => <Status execution={one} /> },
    { key: 'what', header: 'What', isName: true, className: 'w-full max-w-0', cell: (one) => <What execution={one} /> },
    {
      key: 'start',
      header: 'Started by',
      from: 'lg',
      also: true,
      cell: ({ startedBy, createdBy }) => (
        <span className="block max-w-48 truncate">{startWords(startedBy, createdBy.name)}</span>
      ),
    },
    {
      key: 'took',
      header: 'Took',
      align: 'right',
      from: 'sm',
      cell: (one) => <span className="whitespace-nowrap tabular">{tookWords(one, now) ?? '–'}</span>,
    },
    {
      key: 'tokens',
      header: 'Tokens',
      align: 'right',
      from: 'xl',
      also: true,
      cell: ({ use }) => (
        <span className="tabular text-muted">{use ? formatTokens(use.inputTokens + use.outputTokens) : '–'}</span>
      ),
    },
    {
      key: 'cost',
      header: 'Cost',
      align: 'right',
      from: 'xl',
      also: true,
      cell: ({ use }) => (
        <span className="whitespace-nowrap tabular text-muted">
          {!use || use.costUsd === null ? '–' : formatCost(use.costUsd)}
        </span>
      ),
    },
    { key: 'when', header: 'When', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'act',
      header: '',
      align: 'right',
      from: 'md',
      cell: (one) => <RowMenu execution={one} onStarted={onStarted} />,
    },
  ]
  return narrow ? columns.filter(({ also }) => !also) : columns
}

function Status({ execution: { status, isDead } }: { execution: ExecutionSummary }) {
  return isDead ? <Pill tone="red">given up</Pill> : <StatusPill status={status} />
}

function What({ execution }: { execution: ExecutionSummary }) {
  const { kind, agent, language, input, reason, output, startedBy, status } = execution
  const Icon = kind === 'turn' ? Bot : SquareTerminal
  // the pill says that it was stopped
  const isSaid = status === 'cancelled' && isPlainStop({ kind: 'cancelled', message: reason ?? '' })
  const second = (isSaid ? null : reason) ?? output
  return (
    <span className="flex min-w-0 items-start gap-2">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="block min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-medium">{kind === 'turn' ? agent : language && languageNames[language]}</span>
          {kind === 'turn' ? (
            <span className="truncate">{firstLine(input)}</span>
          ) : (
            <code className="truncate text-small [font-variant-ligatures:none]">{firstLine(input) || '(empty)'}</code>
          )}
        </span>
        {(second ?? (kind === 'run' && startedBy.kind === 'agent' ? agent : null)) && (
          <span className="block truncate text-small text-muted">{second ? firstLine(second) : `for ${agent}`}</span>
        )}
      </span>
    </span>
  )
}
