import type { Workspace } from '@coherex/contract'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FolderGit2, Pin, Plus, SquarePen } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useWorkspaceList } from '../../data/workspace.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Switch } from '../../ui/field/switch.tsx'
import { NamedPerson } from '../../ui/list/named-person.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Time } from '../../ui/text/time.tsx'
import { CreateWorkspaceDialog } from './dialogs/create-workspace-dialog.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function WorkspacesPage() {
  const { search, archived = false, create: creating = false } = useSearch({ from: '/shell/team-places/workspaces' })
  const navigate = useNavigate()
  const mayWrite = useRight('editor', 'create workspaces')
  const workspaces = useWorkspaceList({ search, archived })
  const isWithoutScratch = workspaces.items?.every(({ reach }) => reach === 'team') ?? false
  const show = (next: { search?: string; archived?: true; create?: true }) =>
    void navigate({ to: '/workspaces', search: next, replace: true })
  const kept = { ...(search ? { search } : {}), ...(archived ? ({ archived: true } as const) : {}) }

  const create = (
    <Reason why={mayWrite.why}>
      <Button
        look="primary"
        icon={<Plus aria-hidden />}
        disabled={!mayWrite.may}
        onClick={() => show({ ...kept, create: true })}
      >
        New workspace
      </Button>
    </Reason>
  )
  return (
    <CataloguePage
      wide
      title="Workspaces"
      description="Files that people and agents edit together. Every change is kept as a version."
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
      above={!search && !archived && isWithoutScratch && <ScratchLine />}
      pages={workspaces}
      columns={columns}
      rowKey={({ id }) => id}
      linkOf={({ id }) => ({ to: '/workspaces/$id', params: { id } })}
      empty={<NothingHere search={search} archived={archived} onClear={() => show({})} create={create} />}
    >
      {creating && mayWrite.may && <CreateWorkspaceDialog onClose={() => show(kept)} />}
    </CataloguePage>
  )
}

/** The personal workspace while it is still to be made: then it is on top of the list. */
function ScratchLine() {
  return (
    <Link
      to="/scratch"
      className="flex items-center gap-3 border-b border-line px-5 py-2.5 text-dense transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4"
    >
      <SquarePen aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="font-medium">Scratch</span>
      <span className="min-w-0 flex-1 truncate text-muted">Your own place to write and run code</span>
      <Pin aria-hidden className="size-3.5 shrink-0 text-muted" />
    </Link>
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
          : 'Archived workspaces are read-only. Unarchive one to change it.'}
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
    cell: ({ name, archivedAt, reach }) => (
      <span className="flex min-w-0 items-center gap-2">
        {reach === 'private' && <SquarePen aria-hidden className="size-4 shrink-0 text-muted" />}
        <span className="truncate font-medium">{name}</span>
        {reach === 'private' && <Pill>only you</Pill>}
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
    header: 'Created by',
    from: 'md',
    cell: ({ createdBy }) => <NamedPerson name={createdBy.name} />,
  },
  { key: 'changed', header: 'Changed', align: 'right', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { key: 'menu', header: '', align: 'right', cell: (workspace) => <WorkspaceMenu workspace={workspace} /> },
]
