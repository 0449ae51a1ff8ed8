import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play, SquareTerminal } from 'lucide-react'
import { useMe } from '../../data/me.ts'
import { useRunList } from '../../data/run/run-list.ts'
import { ListPage } from '../../shell/list-page.tsx'
import { Empty } from '../../ui/empty.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { ListBody } from '../../ui/list/list-body.tsx'
import { NothingMatches } from '../../ui/list/nothing-matches.tsx'
import { useBeside } from '../../ui/list/use-beside.ts'
import { useNow } from '../../ui/use-now.ts'
import { runColumns } from './run-columns.tsx'
import { RunFilterBar } from './run-filter-bar.tsx'
import { changeRunFilters, hasRunFilters, toRunQuery, type RunFilters } from './run-filters.ts'
import { RunView } from './run-view.tsx'

export function RunsPage() {
  const filters = useSearch({ from: '/shell/team-places/runs' })
  const navigate = useNavigate()
  const { person } = useMe()
  const runs = useRunList(toRunQuery(filters, person.id))
  const now = useNow(runs.items?.some(({ status }) => status === 'running') ?? false)
  const setFilters = (next: RunFilters) => void navigate({ to: '/runs', search: next, replace: true })
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
      filters={<RunFilterBar filters={filters} onChange={setFilters} />}
      detailsLabel="Run details"
      details={beside && <RunView key={beside} id={beside} wide={false} onClose={close} />}
    >
      <ListBody
        label="Runs"
        pages={runs}
        columns={runColumns({ now, narrow: beside !== undefined })}
        rowKey={({ id }) => id}
        onOpen={({ id }) => show(id)}
        openKey={beside}
        stickyHeader={roomy}
        empty={
          hasRunFilters(filters) ? (
            <NothingMatches icon={SquareTerminal} onClear={() => setFilters({})}>
              No run fits all the filters that are on.
            </NothingMatches>
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
    </ListPage>
  )
}
