import type { AgentSummary } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, LayoutTemplate } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { agentQuery, useAgentList } from '../../data/library/agent.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { places } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Time } from '../../ui/text/time.tsx'
import { AgentStatusPill } from './agent-status.tsx'
import { BuildButton } from './build-button.tsx'
import { TemplatesDialog } from './templates-dialog.tsx'

export function AgentsPage() {
  const { search = '', create = false } = useSearch({ from: '/shell/team-places/agents' })
  const agents = useAgentList(search ? { search } : {})
  const right = useRight('editor', 'create agents')
  const navigate = useNavigate()
  const show = (next: { search?: string; create?: true }) =>
    void navigate({ to: '/agents', search: next, replace: true })
  const kept = search ? { search } : {}
  return (
    <CataloguePage
      title="Agents"
      place={places.library}
      description="Agents answer questions, write code and act for the team. Each is a definition with versions: instructions, tools and limits."
      wide
      actions={
        <>
          <Reason why={right.why}>
            <BuildButton disabled={!right.may} />
          </Reason>
          <Reason why={right.why}>
            <Button
              look="primary"
              icon={<LayoutTemplate aria-hidden />}
              disabled={!right.may}
              onClick={() => show({ ...kept, create: true })}
            >
              New agent
            </Button>
          </Reason>
        </>
      }
      filters={
        <SearchInput label="Search agents" value={search} onSearch={(text) => show(text ? { search: text } : {})} />
      }
      pages={agents}
      columns={columns}
      rowKey={({ name }) => name}
      linkOf={({ name }) => ({ to: '/agents/$name', params: { name } })}
      empty={
        <Empty icon={Bot} title="Nothing found">
          No agent has these words in its name or description.
        </Empty>
      }
    >
      {create && right.may && <TemplatesDialog onClose={() => show(kept)} />}
    </CataloguePage>
  )
}

const columns: Column<AgentSummary>[] = [
  {
    key: 'name',
    header: 'Agent',
    className: 'w-full max-w-0',
    cell: ({ name, description, isBuiltIn }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">
          {name} {isBuiltIn && <span className="font-normal text-muted">built in</span>}
        </span>
        <span className="block truncate text-small text-muted">{description}</span>
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, proposals }) => (
      <span className="flex gap-1.5">
        <AgentStatusPill status={status} />
        {proposals > 0 && <Pill tone="amber">{proposals === 1 ? '1 proposal' : `${proposals} proposals`}</Pill>}
      </span>
    ),
  },
  { key: 'needs', header: 'Needs', from: 'lg', cell: (agent) => <Needs agent={agent} /> },
  {
    key: 'model',
    header: 'Model',
    from: 'xl',
    cell: ({ model }) => <span className="block max-w-48 truncate text-muted">{model ?? 'the team’s default'}</span>,
  },
  {
    key: 'version',
    header: 'Version',
    align: 'right',
    from: 'sm',
    cell: ({ version, isBuiltIn }) => (isBuiltIn ? '–' : version),
  },
  {
    key: 'changed',
    header: 'Changed',
    align: 'right',
    from: 'md',
    cell: ({ updatedAt, isBuiltIn }) => (isBuiltIn ? '–' : <Time at={updatedAt} />),
  },
]

/** An agent that lacks something is a draft: only those are asked what it is. */
function Needs({ agent: { name, status } }: { agent: AgentSummary }) {
  const { data } = useQuery({ ...agentQuery(name), enabled: status === 'draft' })
  if (status !== 'draft' || !data) return <span className="text-muted">–</span>
  if (data.needs.length === 0) return <span className="whitespace-nowrap text-muted">nothing</span>
  return (
    <span title={data.needs.map(({ message }) => message).join('\n')} className="whitespace-nowrap">
      {data.needs.map(({ kind, name: what }) => (what ? `${kind} ${what}` : kind)).join(', ')}
    </span>
  )
}
