import type { ExecutionSummary } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, Play } from 'lucide-react'
import { useExecutionList } from '../../data/execution/execution-list.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { PageHeader } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { useEscape } from '../../ui/use-escape.ts'
import { RunView } from '../runs/run-view.tsx'
import { useNow } from '../runs/use-now.ts'
import { ListBody } from '../settings/list-body.tsx'
import { executionColumns } from './execution-columns.tsx'
import { ExecutionFilterBar } from './execution-filter-bar.tsx'
import {
  hasExecutionFilters,
  parseExecutionFilters,
  toExecutionQuery,
  type ExecutionFilters,
} from './execution-filters.ts'
import { TurnView } from './turn-view.tsx'

export function ExecutionsPage() {
  const filters = parseExecutionFilters(useSearch({ from: '/shell/team-places/executions' }))
  const navigate = useNavigate()
  const minute = useNow(false)
  const executions = useExecutionList(toExecutionQuery(filters, minute))
  const roomy = useIsRoomy()
  const now = useNow(executions.items?.some(({ startedAt, endedAt }) => startedAt && !endedAt) ?? false)
  usePageTitle('Executions')

  const setFilters = (next: ExecutionFilters) =>
    void navigate({ to: '/executions', search: { ...next }, replace: true })
  const close = () => {
    const { open: _open, ...rest } = filters
    setFilters(rest)
  }
  const show = (id: string) => {
    if (roomy) return setFilters({ ...filters, open: id })
    return void navigate({ to: '/executions/$id', params: { id } })
  }
  const beside = roomy ? filters.open : undefined
  useEscape(close, beside !== undefined)

  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-dvh">
      <div className="flex flex-col gap-4 border-b border-line px-8 pt-8 pb-4 max-md:px-4 max-md:pt-5">
        <PageHeader
          title="Executions"
          description="Everything agents and code did for the team: what began it, what came of it and what it took."
        />
        <ExecutionFilterBar filters={filters} onChange={setFilters} />
      </div>
      <SplitPane
        name="executions"
        direction="row"
        secondLabel="Details"
        initial={0.45}
        second={
          beside && (
            <div className="flex min-h-0 flex-1 animate-rise flex-col">
              {beside.startsWith('run_') ? (
                <RunView key={beside} id={beside} wide={false} onClose={close} />
              ) : (
                <TurnView key={beside} id={beside} onNext={show} onClose={close} />
              )}
            </div>
          )
        }
      >
        <div className="min-h-0 flex-1 bg-surface lg:overflow-y-auto">
          <ListBody<ExecutionSummary>
            label="Executions"
            pages={executions}
            columns={executionColumns({ now, narrow: beside !== undefined, onRetried: show })}
            rowKey={({ id }) => id}
            onOpen={({ id }) => show(id)}
            openKey={beside}
            stickyHeader={roomy}
            empty={
              hasExecutionFilters(filters) ? (
                <Empty
                  icon={Activity}
                  title="Nothing matches"
                  action={<Button onClick={() => setFilters({})}>Clear filters</Button>}
                >
                  No turn and no run fits all the filters that are on.
                </Empty>
              ) : (
                <Empty
                  icon={Activity}
                  title="Nothing was done yet"
                  action={
                    <LinkButton to="/threads" look="primary">
                      <Play aria-hidden /> Talk to an agent
                    </LinkButton>
                  }
                >
                  Each turn of an agent and each run of code is kept here, with what it took.
                </Empty>
              )
            }
          />
        </div>
      </SplitPane>
    </div>
  )
}
