import type { ExecutionSummary } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, Play } from 'lucide-react'
import { useExecutionList } from '../../data/execution.ts'
import { ListPage } from '../../shell/list-page.tsx'
import { Empty } from '../../ui/empty.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { ListBody } from '../../ui/list/list-body.tsx'
import { NothingMatches } from '../../ui/list/nothing-matches.tsx'
import { useBeside } from '../../ui/list/use-beside.ts'
import { useNow } from '../../ui/use-now.ts'
import { RunView } from '../runs/run-view.tsx'
import { executionColumns } from './execution-columns.tsx'
import { ExecutionFilterBar } from './execution-filter-bar.tsx'
import {
  changeExecutionFilters,
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
  const now = useNow(executions.items?.some(({ startedAt, endedAt }) => startedAt && !endedAt) ?? false)
  const setFilters = (next: ExecutionFilters) =>
    void navigate({ to: '/executions', search: { ...next }, replace: true })
  const { roomy, beside, show, close } = useBeside({
    chosen: filters.open,
    choose: (open) => setFilters(changeExecutionFilters(filters, { open })),
    visit: (id) => void navigate({ to: '/executions/$id', params: { id } }),
  })

  return (
    <ListPage
      title="Executions"
      description="Everything agents and code did for the team: what began it, what came of it and what it took."
      filters={<ExecutionFilterBar filters={filters} onChange={setFilters} />}
      detailsLabel="Details"
      details={
        beside &&
        (beside.startsWith('run_') ? (
          <RunView key={beside} id={beside} wide={false} onClose={close} />
        ) : (
          <TurnView key={beside} id={beside} onNext={show} onClose={close} />
        ))
      }
    >
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
            <NothingMatches icon={Activity} onClear={() => setFilters({})}>
              No turn and no run fits all the filters that are on.
            </NothingMatches>
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
    </ListPage>
  )
}
