import type { Workspace } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FolderGit2, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/rights.ts'
import { useWorkspaceList } from '../../data/workspace.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { NamedPerson } from '../../ui/list/named-person.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateWorkspaceDialog } from './create-workspace-dialog.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function WorkspacesPage() {
  const { search, archived = false } = useSearch({ from: '/shell/team-places/workspaces' })
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const mayWrite = useRight('editor', 'make workspaces')
  const workspaces = useWorkspaceList({ search, archived })
  const show = (next: { search?: string; archived?: true }) =>
    void navigate({ to: '/workspaces', search: next, replace: true })

  const create = (
    <Reason why={mayWrite.why}>
      <Button look="primary" icon={<Plus aria-hidden />} disabled={!mayWrite.may} onClick={() => setCreating(true)}>
        New workspace
      </Button>
    </Reason>
  )
  return (
    <CataloguePage
      wide
      title="Workspaces"
      description="Files that people and agents edit together. Every change is a version, and nobody’s is lost."
      actions={create}
      filters={
        <div className="flex flex-wrap items-center gap-3">
          <SearchInput
            label="Search by name"
            value={search ?? ''}
            onSearch={(text) => show({ ...(text ? { search: text } : {}), ...(archived ? { archived } : {}) })}
          />
          <Switch
            checked={archived}
            onChange={(on) => show({ ...(search ? { search } : {}), ...(on ? { archived: true } : {}) })}
          >
            Archived
          </Switch>
        </div>
      }
      pages={workspaces}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/workspaces/$id', params: { id } })}
      empty={<NothingHere search={search} archived={archived} onClear={() => show({})} create={create} />}
    >
      {creating && <CreateWorkspaceDialog onClose={() => setCreating(false)} />}
    </CataloguePage>
  )
}

interface NothingHereProps {
  search: string | undefined
  archived: boolean
  onClear: () => void
  create: React.ReactNode
}

function NothingHere({ search, archived, onClear, create }: NothingHereProps) {
  if (search || archived) {
    const title = search ? 'Nothing matches' : 'Nothing is archived'
    return (
      <Empty icon={FolderGit2} title={title} action={<Button onClick={onClear}>Show all workspaces</Button>}>
        {search
          ? `No ${archived ? 'archived ' : ''}workspace has “${search}” in its name.`
          : 'What is archived cannot be changed, and can be taken back from here.'}
      </Empty>
    )
  }
  return (
    <Empty icon={FolderGit2} title="No workspace yet" action={create}>
      A workspace keeps files that belong together: a tool, a notebook, an agent. Start from a template, or upload
      yours.
    </Empty>
  )
}

const columns: Column<Workspace>[] = [
  {
    key: 'name',
    header: 'Name',
    className: 'w-full max-w-0',
    cell: ({ id, name, archivedAt }) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate">
          <TextLink to="/workspaces/$id" params={{ id }} onClick={(event) => event.stopPropagation()}>
            {name}
          </TextLink>
        </span>
        {archivedAt && <Pill>archived</Pill>}
      </span>
    ),
  },
  {
    key: 'version',
    header: 'Version',
    align: 'right',
    from: 'sm',
    cell: ({ version }) => <span className="text-muted">{version}</span>,
  },
  {
    key: 'by',
    header: 'Made by',
    from: 'md',
    cell: ({ createdBy }) => <NamedPerson name={createdBy.name} />,
  },
  { key: 'changed', header: 'Changed', align: 'right', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { key: 'menu', header: '', align: 'right', cell: (workspace) => <WorkspaceMenu workspace={workspace} /> },
]
