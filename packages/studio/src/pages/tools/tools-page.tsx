import type { ToolSummary } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'
import { useToolList } from '../../data/library/tool.ts'
import { languageNames } from '../../output/run-words.ts'
import { compactFilters } from '../../shell/address-filters.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { FilterBar } from '../../shell/filter-bar.tsx'
import { places } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { NothingMatches } from '../../ui/list/nothing-matches.tsx'
import { Sparkline } from '../../ui/list/sparkline.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Time } from '../../ui/text/time.tsx'
import { NewToolDialog } from './new-tool-dialog.tsx'
import { ToolStatusPill } from './publish/tool-status.tsx'
import { SharedTools } from './shared-tools.tsx'
import { parseToolFilters, toToolQuery, useToolFilters, type ToolFilters } from './tool-filters.ts'

export function ToolsPage() {
  const address = useSearch({ from: '/shell/team-places/tools' })
  const filters = parseToolFilters(address)
  const { person } = useMe()
  const tools = useToolList(toToolQuery(filters, person.id))
  const right = useRight('editor', 'create tools')
  const navigate = useNavigate()
  const show = (search: ToolFilters & { create?: true }) =>
    void navigate({ to: '/tools', search: { ...search }, replace: true })
  const tags = [...new Set(tools.items?.flatMap((tool) => tool.tags) ?? [])].sort()
  const described = useToolFilters(tags)
  const create = (
    <Reason why={right.why}>
      <Button
        look="primary"
        icon={<Wrench aria-hidden />}
        disabled={!right.may}
        onClick={() => show({ ...filters, create: true })}
      >
        New tool
      </Button>
    </Reason>
  )
  return (
    <CataloguePage
      title="Tools"
      place={places.library}
      description="Code with typed input and output, tested and published at versions. Agents, people and programs call it."
      wide
      actions={create}
      filters={
        <FilterBar
          filters={described}
          values={filters}
          onChange={(change) => show(compactFilters<ToolFilters>({ ...filters, ...change }))}
          onClear={() => show({})}
        />
      }
      pages={tools}
      columns={columns}
      rowKey={({ name }) => name}
      linkOf={({ name }) => ({ to: '/tools/$name', params: { name } })}
      empty={
        Object.keys(filters).length > 0 ? (
          <NothingMatches icon={Wrench} onClear={() => show({})}>
            No tool matches the filters.
          </NothingMatches>
        ) : (
          <Empty icon={Wrench} title="No tools yet" action={create}>
            Write a function once, and every agent and program of the team can call it, with its input checked.
          </Empty>
        )
      }
    >
      <SharedTools search={filters.search ?? ''} />
      {address['create'] === true && right.may && <NewToolDialog onClose={() => show(filters)} />}
    </CataloguePage>
  )
}

const columns: Column<ToolSummary>[] = [
  {
    key: 'name',
    header: 'Tool',
    className: 'w-full max-w-0',
    cell: ({ name, description, tags }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">
          {name} <span className="text-small font-normal text-muted">{tags.map((tag) => `#${tag}`).join(' ')}</span>
        </span>
        <span className="block truncate text-small text-muted">{description}</span>
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <ToolStatusPill status={status} />,
  },
  { key: 'version', header: 'Version', align: 'right', from: 'sm', cell: ({ version }) => version ?? '–' },
  {
    key: 'language',
    header: 'Language',
    from: 'md',
    className: 'whitespace-nowrap',
    cell: ({ language }) => languageNames[language],
  },
  { key: 'owner', header: 'Owner', from: 'lg', className: 'whitespace-nowrap', cell: ({ owner }) => owner.name },
  {
    key: 'calls',
    header: 'Calls',
    align: 'right',
    from: 'md',
    cell: ({ calls }) => <Sparkline values={calls} label={describeCalls(calls)} />,
  },
  { key: 'changed', header: 'Changed', align: 'right', from: 'lg', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]

function describeCalls(calls: readonly number[]): string {
  const all = calls.reduce((sum, one) => sum + one, 0)
  return `${all === 1 ? '1 call' : `${all} calls`} in ${calls.length} days`
}
