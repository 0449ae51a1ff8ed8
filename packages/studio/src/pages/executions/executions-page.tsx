import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, Play } from 'lucide-react'
import { useMe } from '../../data/access/me.ts'
import { useExecutionList } from '../../data/execution.ts'
import { FilterBar } from '../../shell/filter-bar.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { places } from '../../shell/places.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useBeside } from '../../ui/list/use-beside.ts'
import { useNow } from '../../ui/state/use-now.ts'
import { RunView } from '../runs/run-view.tsx'
import { DeliveriesPage } from './deliveries-page.tsx'
import { executionColumns } from './execution-columns.tsx'
import {
  changeExecutionFilters,
  hasExecutionFilters,
  parseExecutionFilters,
  shownKind,
  toExecutionQuery,
  type ExecutionFilters,
} from './execution-filters.ts'
import { KindChips } from './kind-chips.tsx'
import { TurnView } from './turn-view.tsx'
import { useExecutionFilters } from './use-execution-filters.ts'

export function ExecutionsPage() {
  const { kind } = useSearch({ from: '/shell/team-places/executions' })
  return shownKind(kind) === 'deliveries' ? <DeliveriesPage /> : <TurnsAndRuns />
}

function TurnsAndRuns() {
  const { person } = useMe()
  const filters = parseExecutionFilters(useSearch({ from: '/shell/team-places/executions' }))
  const described = useExecutionFilters(filters.kind)
  const navigate = useNavigate()
  const minute = useNow(false)
  const executions = useExecutionList(toExecutionQuery(filters, { nowMs: minute, myId: person.id }))
  const now = useNow(executions.items?.some(({ startedAt, endedAt }) => startedAt && !endedAt) ?? false)
  const setFilters = (next: ExecutionFilters) =>
    void navigate({ to: '/executions', search: { ...next }, replace: true })
  const clear = () => setFilters(filters.kind ? { kind: filters.kind } : {})
  const { roomy, beside, show, close } = useBeside({
    chosen: filters.open,
    choose: (open) => setFilters(changeExecutionFilters(filters, { open })),
    visit: (id) => void navigate({ to: '/executions/$id', params: { id } }),
  })

  return (
    <ListPage
      title="Executions"
      place={places.activity}
      description="Everything agents and code did for the team: who started it, how it ended and what it cost."
      filters={
        <>
          <KindChips kind={filters.kind} />
          <FilterBar
            filters={described}
            values={filters}
            onChange={(change) => setFilters(changeExecutionFilters(filters, change))}
            onClear={clear}
          />
        </>
      }
      isFiltered={hasExecutionFilters(filters)}
      onClear={clear}
      pages={executions}
      columns={executionColumns({ now, narrow: beside !== undefined, onStarted: show })}
      linkOf={({ id }) => ({ to: '/executions/$id', params: { id } })}
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
        unmatched: 'No turn or run matches the filters.',
        title: filters.kind === 'code' ? 'No code ran yet' : 'Nothing ran yet',
        text: 'Each turn of an agent and each run of code is listed here, with its time and its cost.',
        action: (
          <LinkButton to={filters.kind === 'turns' ? '/threads' : '/scratch'} look="primary">
            <Play aria-hidden /> {filters.kind === 'turns' ? 'Talk to an agent' : 'Write some code'}
          </LinkButton>
        ),
      }}
    />
  )
}
