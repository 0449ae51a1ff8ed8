import type { Workspace } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { GitPullRequestArrow, History, Search, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Pill } from '../../ui/pill.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'
import type { WorkspacePanel } from './workspace-place.ts'

interface WorkspaceHeaderProps {
  workspace: Workspace
  panel: WorkspacePanel | undefined
  proposalCount: number
  onPanel: (panel: WorkspacePanel) => void
}

export function WorkspaceHeader({ workspace, panel, proposalCount, onPanel }: WorkspaceHeaderProps) {
  const navigate = useNavigate()
  const toggle = (value: WorkspacePanel, label: string, icon: ReactNode) => (
    <Button
      look={panel === value ? 'secondary' : 'quiet'}
      aria-pressed={panel === value}
      icon={icon}
      onClick={() => onPanel(value)}
    >
      <span className="max-sm:sr-only">{label}</span>
    </Button>
  )
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2.5">
      <span className="text-dense text-muted max-sm:hidden">
        <TextLink to="/workspaces">Workspaces</TextLink>
        <span aria-hidden className="px-1.5">
          /
        </span>
      </span>
      <h1 className="min-w-0 truncate text-lead font-semibold">{workspace.name}</h1>
      {workspace.archivedAt && <Pill>archived</Pill>}
      <WorkspaceMenu workspace={workspace} onDeleted={() => void navigate({ to: '/workspaces' })} />
      <span className="flex-1" />
      {toggle('search', 'Find', <Search aria-hidden />)}
      {toggle('history', 'History', <History aria-hidden />)}
      {toggle(
        'proposals',
        proposalCount > 0 ? `Proposals · ${proposalCount}` : 'Proposals',
        <GitPullRequestArrow aria-hidden />,
      )}
      {toggle('variables', 'Variables', <SlidersHorizontal aria-hidden />)}
    </header>
  )
}
