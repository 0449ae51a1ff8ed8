import type { OwnedVariable } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, FolderGit2, ShieldOff, Variable, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { ownerOf, useVariableList } from '../../data/variable.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { Page } from '../../shell/page.tsx'
import { places } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { NothingMatches } from '../../ui/list/nothing-matches.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { VariablesPanel } from '../variables/variables-panel.tsx'

/** Every environment variable of the team, and whose it is. */
export function VariablesPage() {
  const { search = '' } = useSearch({ from: '/shell/team-places/variables' })
  const navigate = useNavigate()
  const right = useRight('editor', 'see and set variables')
  const variables = useVariableList({ search, enabled: right.may })
  const [changing, setChanging] = useState<OwnedVariable['owner']>()
  const show = (text: string) =>
    void navigate({ to: '/variables', search: text ? { search: text } : {}, replace: true })
  if (!right.may) {
    return (
      <Page title="Variables" place={places.data} wide>
        <Empty icon={ShieldOff} title="Not for your role">
          {right.why}
        </Empty>
      </Page>
    )
  }
  return (
    <CataloguePage
      wide
      title="Variables"
      place={places.data}
      description="Settings that code finds in its environment, set for a workspace or an agent. They are not secrets: everyone who can run code can read them."
      filters={
        <SearchInput label="Search variables" placeholder="Name, workspace or agent" value={search} onSearch={show} />
      }
      pages={variables}
      columns={columnsFor(setChanging)}
      rowKey={({ owner, name }) => `${owner.kind} ${owner.id} ${name}`}
      empty={
        search ? (
          <NothingMatches icon={Variable} onClear={() => show('')}>
            No variable, workspace or agent with variables has “{search}” in its name.
          </NothingMatches>
        ) : (
          <Empty
            icon={Variable}
            title="No variables yet"
            action={<LinkButton to="/workspaces">Open a workspace</LinkButton>}
          >
            Set one in the menu of a workspace, or on the page of an agent.
          </Empty>
        )
      }
    >
      {changing && (
        <Dialog open wide onClose={() => setChanging(undefined)} title={`Variables of ${changing.name}`}>
          <VariablesPanel owner={ownerOf(changing)} />
        </Dialog>
      )}
    </CataloguePage>
  )
}

function columnsFor(onChange: (owner: OwnedVariable['owner']) => void): Column<OwnedVariable>[] {
  return [
    { key: 'name', header: 'Name', cell: ({ name }) => <code className="text-small font-medium">{name}</code> },
    {
      key: 'value',
      header: 'Value',
      className: 'w-full max-w-0',
      cell: ({ value }) => (
        <code className="block truncate text-small text-muted" title={value}>
          {value || 'empty'}
        </code>
      ),
    },
    {
      key: 'owner',
      header: 'Set for',
      cell: ({ owner }) => (
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          {owner.kind === 'agent' ? (
            <Bot aria-label="agent" className="size-4 text-muted" />
          ) : owner.kind === 'tool' ? (
            <Wrench aria-label="tool" className="size-4 text-muted" />
          ) : (
            <FolderGit2 aria-label="workspace" className="size-4 text-muted" />
          )}
          <span className="max-w-48 truncate">
            {owner.kind === 'agent' ? (
              <TextLink to="/agents/$name" params={{ name: owner.id }}>
                {owner.name}
              </TextLink>
            ) : owner.kind === 'tool' ? (
              owner.name
            ) : (
              <TextLink to="/workspaces/$id" params={{ id: owner.id }}>
                {owner.name}
              </TextLink>
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'changed',
      header: 'Changed',
      from: 'md',
      cell: ({ updatedAt, updatedBy }) => (
        <span className="whitespace-nowrap">
          <Time at={updatedAt} /> <span className="text-muted">by {updatedBy}</span>
        </span>
      ),
    },
    {
      key: 'act',
      header: '',
      align: 'right',
      cell: ({ owner }) => (
        <Button size="small" look="quiet" onClick={() => onChange(owner)}>
          Change
        </Button>
      ),
    },
  ]
}
