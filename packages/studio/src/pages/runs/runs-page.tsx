import type { RunSummary } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play, SquareTerminal } from 'lucide-react'
import { useMe } from '../../data/me/me-get.ts'
import { useRunList } from '../../data/run/run-list.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { PageHeader } from '../../shell/page.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useEscape } from '../../ui/use-escape.ts'
import { formatMegabytes } from '../../words/quantity.ts'
import { ListBody } from '../settings/list-body.tsx'
import { RunFilterBar } from './run-filter-bar.tsx'
import { hasRunFilters, toRunQuery, type RunFilters } from './run-filters.ts'
import { RunView } from './run-view.tsx'
import { languageNames, runTime } from './run-words.ts'
import { useNow } from './use-now.ts'

export function RunsPage() {
  const filters = useSearch({ from: '/shell/team-places/runs' })
  const navigate = useNavigate()
  const { person } = useMe()
  const runs = useRunList(toRunQuery(filters, person.id))
  const roomy = useIsRoomy()
  const now = useNow(runs.items?.some(({ status }) => status === 'running') ?? false)
  usePageTitle('Runs')

  const setFilters = (next: RunFilters, replace = true) => void navigate({ to: '/runs', search: next, replace })
  const close = () => {
    const { run: _run, ...rest } = filters
    setFilters(rest)
  }
  const open = ({ id }: RunSummary) => {
    if (roomy) return setFilters({ ...filters, run: id })
    return void navigate({ to: '/runs/$id', params: { id } })
  }
  const beside = roomy ? filters.run : undefined
  useEscape(close, beside !== undefined)

  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-dvh">
      <div className="flex flex-col gap-4 border-b border-line px-8 pt-8 pb-4 max-md:px-4 max-md:pt-5">
        <PageHeader
          title="Runs"
          description="Everything the team’s code did: what it printed, what came of it and where it ran."
          actions={
            <LinkButton to="/scratch" look="primary">
              <Play aria-hidden /> New run
            </LinkButton>
          }
        />
        <RunFilterBar filters={filters} onChange={setFilters} />
      </div>
      <SplitPane
        name="runs"
        direction="row"
        secondLabel="Run details"
        initial={0.5}
        second={
          beside && (
            <div className="flex min-h-0 flex-1 animate-rise flex-col">
              <RunView key={beside} id={beside} wide={false} onClose={close} />
            </div>
          )
        }
      >
        <div className="min-h-0 flex-1 bg-surface lg:overflow-y-auto">
          <ListBody
            label="Runs"
            pages={runs}
            columns={columnsOf(now, beside !== undefined)}
            rowKey={({ id }) => id}
            onOpen={open}
            openKey={beside}
            stickyHeader={roomy}
            empty={
              hasRunFilters(filters) ? (
                <Empty
                  icon={SquareTerminal}
                  title="Nothing matches"
                  action={<Button onClick={() => setFilters({})}>Clear filters</Button>}
                >
                  No run fits all the filters that are on.
                </Empty>
              ) : (
                <Empty
                  icon={SquareTerminal}
                  title="Nothing ran yet"
                  action={
                    <LinkButton to="/scratch" look="primary">
                      Write some code
                    </LinkButton>
                  }
                >
                  Code runs in a sandbox of its own, and what it did is kept here.
                </Empty>
              )
            }
          />
        </div>
      </SplitPane>
    </div>
  )
}

/** Beside open details there is room for less. */
function columnsOf(now: number, narrow: boolean): Column<RunSummary>[] {
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
      cell: ({ createdBy }) => (
        <span className="flex items-center gap-2 whitespace-nowrap">
          <Avatar name={createdBy.name} size="small" />
          <span className="max-w-32 truncate">{createdBy.name}</span>
        </span>
      ),
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
