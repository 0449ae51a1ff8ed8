import { runStatuses } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play, SquareTerminal } from 'lucide-react'
import { useMe } from '../../data/me.ts'
import { useRunList } from '../../data/run/run-list.ts'
import { FilterBar, type Filter } from '../../shell/filter-bar.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { useBeside } from '../../ui/list/use-beside.ts'
import { useNow } from '../../ui/use-now.ts'
import { codeFilters } from './code-filters.ts'
import { runColumns } from './run-columns.tsx'
import { changeRunFilters, hasRunFilters, toRunQuery, type RunFilters } from './run-filters.ts'
import { RunView } from './run-view.tsx'

const runFilters: Filter<keyof RunFilters>[] = [
  { kind: 'search', key: 'search', name: 'Code', label: 'Search in the code' },
  { kind: 'select', key: 'status', name: 'Status', all: 'Any status', values: runStatuses },
  ...codeFilters,
  { kind: 'switch', key: 'mine', name: 'By', label: 'Only mine', value: 'me' },
]

export function RunsPage() {
  const filters = useSearch({ from: '/shell/team-places/runs' })
  const navigate = useNavigate()
  const { person } = useMe()
  const runs = useRunList(toRunQuery(filters, person.id))
  const now = useNow(runs.items?.some(({ status }) => status === 'running') ?? false)
  const setFilters = (next: RunFilters) => void navigate({ to: '/runs', search: next, replace: true })
  const clear = () => setFilters({})
  const { roomy, beside, show, close } = useBeside({
    chosen: filters.run,
    choose: (run) => setFilters(changeRunFilters(filters, { run })),
    visit: (id) => void navigate({ to: '/runs/$id', params: { id } }),
  })

  return (
    <ListPage
      title="Runs"
      description="Everything the team’s code did: what it printed, what came of it and where it ran."
      actions={
        <LinkButton to="/scratch" look="primary">
          <Play aria-hidden /> New run
        </LinkButton>
      }
      filters={
        <FilterBar
          filters={runFilters}
          values={filters}
          onChange={(change) => setFilters(changeRunFilters(filters, change))}
          onClear={clear}
        />
      }
      isFiltered={hasRunFilters(filters)}
      onClear={clear}
      pages={runs}
      columns={runColumns({ now, narrow: beside !== undefined })}
      onOpen={show}
      openKey={beside}
      stickyHeader={roomy}
      detailsLabel="Run details"
      details={beside && <RunView key={beside} id={beside} wide={false} onClose={close} />}
      empty={{
        icon: SquareTerminal,
        unmatched: 'No run fits all the filters that are on.',
        title: 'Nothing ran yet',
        text: 'Code runs in a sandbox of its own, and what it did is kept here.',
        action: (
          <LinkButton to="/scratch" look="primary">
            Write some code
          </LinkButton>
        ),
      }}
    />
  )
}
