import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, Play } from 'lucide-react'
import { useExecutionList } from '../../data/execution.ts'
import { FilterBar } from '../../shell/filter-bar.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { useBeside } from '../../ui/list/use-beside.ts'
import { useNow } from '../../ui/use-now.ts'
import { RunView } from '../runs/run-view.tsx'
import { executionColumns } from './execution-columns.tsx'
import {
  changeExecutionFilters,
  hasExecutionFilters,
  parseExecutionFilters,
  toExecutionQuery,
  type ExecutionFilters,
} from './execution-filters.ts'
import { TurnView } from './turn-view.tsx'
import { useExecutionFilters } from './use-execution-filters.ts'

export function ExecutionsPage() {
  const filters = parseExecutionFilters(useSearch({ from: '/shell/team-places/executions' }))
  const described = useExecutionFilters()
  const navigate = useNavigate()
  const minute = useNow(false)
  const executions = useExecutionList(toExecutionQuery(filters, minute))
  const now = useNow(executions.items?.some(({ startedAt, endedAt }) => startedAt && !endedAt) ?? false)
  const setFilters = (next: ExecutionFilters) =>
    void navigate({ to: '/executions', search: { ...next }, replace: true })
  const clear = () => setFilters({})
  const { roomy, beside, show, close } = useBeside({
    chosen: filters.open,
    choose: (open) => setFilters(changeExecutionFilters(filters, { open })),
    visit: (id) => void navigate({ to: '/executions/$id', params: { id } }),
  })

  return (
    <ListPage
      title="Executions"
      description="Everything agents and code did for the team: what began it, what came of it and what it took."
      filters={
        <FilterBar
          filters={described}
          values={filters}
          onChange={(change) => setFilters(changeExecutionFilters(filters, change))}
          onClear={clear}
        />
      }
      isFiltered={hasExecutionFilters(filters)}
      onClear={clear}
      pages={executions}
      columns={executionColumns({ now, narrow: beside !== undefined, onRetried: show })}
      onOpen={show}
      openKey={beside}
      stickyHeader={roomy}
      detailsLabel="Details"
      details={
        beside &&
        (beside.startsWith('run_') ? (
          <RunView key={beside} id={beside} wide={false} onClose={close} />
        ) : (
          <TurnView key={beside} id={beside} onNext={show} onClose={close} />
        ))
      }
      empty={{
        icon: Activity,
        unmatched: 'No turn and no run fits all the filters that are on.',
        title: 'Nothing was done yet',
        text: 'Each turn of an agent and each run of code is kept here, with what it took.',
        action: (
          <LinkButton to="/threads" look="primary">
            <Play aria-hidden /> Talk to an agent
          </LinkButton>
        ),
      }}
    />
  )
}
