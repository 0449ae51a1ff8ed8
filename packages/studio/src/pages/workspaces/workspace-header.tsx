import type { Workspace } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { Pill } from '../../ui/pill.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'

const WorkspaceMenu = lazy(async () => ({ default: (await import('./workspace-menu.tsx')).WorkspaceMenu }))

interface WorkspaceHeaderProps {
  workspace: Workspace
  /** What Scratch has beside its name. */
  scratch?: ReactNode
}

export function WorkspaceHeader({ workspace, scratch }: WorkspaceHeaderProps) {
  const navigate = useNavigate()
  return (
    <>
      <span className="text-dense text-muted max-sm:hidden">
        <TextLink to="/workspaces">Workspaces</TextLink>
        <span aria-hidden className="px-1.5">
          /
        </span>
      </span>
      <h1 className="min-w-0 truncate text-body font-semibold">{workspace.name}</h1>
      {workspace.archivedAt && <Pill>archived</Pill>}
      {scratch}
      <Suspense>
        <WorkspaceMenu isOfPage workspace={workspace} onDeleted={() => void navigate({ to: '/workspaces' })} />
      </Suspense>
    </>
  )
}
