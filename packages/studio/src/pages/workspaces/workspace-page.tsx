import { CoherexError } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { fileListQuery } from '../../data/file.ts'
import { workspaceQuery } from '../../data/workspace.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import type { WorkspacePlace } from './workspace-place.ts'
import { WorkspaceView } from './workspace-view.tsx'

/** A workspace, once it and its files are here. */
export function WorkspacePage() {
  const { id } = useParams({ from: '/shell/team-places/workspaces/$id' })
  const place = useSearch({ from: '/shell/team-places/workspaces/$id' })
  const navigate = useNavigate()
  const workspace = useQuery(workspaceQuery(id))
  const files = useQuery(fileListQuery(id))
  usePageTitle(workspace.data?.name ?? 'Workspace')

  const error = workspace.error ?? files.error
  // an address that cannot be one is as wrong as that of nothing
  const gone = error instanceof CoherexError && (error.code === 'not_found' || error.code === 'invalid_input')
  if (gone) return <WorkspaceMissing />
  if (!workspace.data || !files.data) {
    if (error) {
      return (
        <ErrorState
          doing="load the workspace"
          error={error}
          onRetry={() => void Promise.all([workspace.refetch(), files.refetch()])}
        />
      )
    }
    return (
      <WaitingLines
        label="Loading the workspace"
        className="gap-3 p-4"
        lines={['h-5 w-48', 'mt-4 h-3 w-40', 'h-3 w-52', 'h-3 w-36']}
      />
    )
  }
  return (
    <WorkspaceView
      key={id}
      workspace={workspace.data}
      files={files.data.items}
      version={files.data.version}
      place={place}
      onPlace={(next: WorkspacePlace, replace = false) =>
        void navigate({ to: '/workspaces/$id', params: { id }, search: next, replace })
      }
    />
  )
}

function WorkspaceMissing() {
  return (
    <Empty icon={SearchX} title="Workspace not found" action={<LinkButton to="/workspaces">All workspaces</LinkButton>}>
      It was deleted, belongs to another team, or its address is wrong.
    </Empty>
  )
}
