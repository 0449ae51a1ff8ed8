import { CoherexError, type Workspace } from '@coherex/contract'
import { ArrowDownToLine, ArrowUpFromLine, SquareTerminal } from 'lucide-react'
import { useRight, type Right } from '../../../data/access/rights.ts'
import { useSandbox, useSandboxFromWorkspace, useSandboxToWorkspace } from '../../../data/sandbox.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { Terminals } from '../../sandboxes/panels/terminals.tsx'
import { SandboxPill } from '../../sandboxes/sandbox-pill.tsx'
import { useWorkspaceSandbox } from './use-workspace-sandbox.ts'

interface TerminalPanelProps {
  workspace: Workspace
  live: LiveWorkspace | undefined
  sandboxId: string | undefined
  onSandbox: (id: string | undefined) => void
  mayWrite: Right
}

/** A shell in a sandbox with a copy of the files. It is made when somebody asks for it. */
export function TerminalPanel({ workspace, live, sandboxId, onSandbox, mayWrite }: TerminalPanelProps) {
  const { may, why } = useRight('editor', 'open a terminal')
  const { make, isPending, progress } = useWorkspaceSandbox({ workspace, live, onSandbox })
  const open = () =>
    void make().catch(({ message }: Error) =>
      toast({ title: 'Could not open a terminal', description: message, tone: 'error' }),
    )
  if (sandboxId) {
    return (
      <Shell
        key={sandboxId}
        id={sandboxId}
        workspace={workspace}
        mayWrite={mayWrite}
        onGone={() => onSandbox(undefined)}
      />
    )
  }
  return (
    <Empty
      icon={SquareTerminal}
      title="Terminal"
      action={
        <Button look="primary" disabled={!may} busy={isPending} onClick={open}>
          Open terminal
        </Button>
      }
    >
      {why ??
        progress ??
        'A shell in a sandbox with a copy of these files. What changes there stays there until you save it to the workspace.'}
    </Empty>
  )
}

interface ShellProps {
  id: string
  workspace: Workspace
  mayWrite: Right
  onGone: () => void
}

function Shell({ id, workspace, mayWrite, onGone }: ShellProps) {
  const { data: sandbox, error } = useSandbox(id)
  const bring = useSandboxFromWorkspace()
  const save = useSandboxToWorkspace()
  const isGone = sandbox?.status === 'ended' || (error instanceof CoherexError && error.code === 'not_found')
  if (isGone) {
    return (
      <Empty
        icon={SquareTerminal}
        title="The sandbox has ended"
        action={<Button onClick={onGone}>Start a new one</Button>}
      >
        Its files are gone with it. A new one begins with the files of the workspace.
      </Empty>
    )
  }
  const request = { params: { id }, body: { workspaceId: workspace.id } }
  const tell = (title: string) => ({
    onSuccess: ({ files }: { files: number }) =>
      toast({ title: `${title} ${files} ${files === 1 ? 'file' : 'files'}` }),
    onError: ({ message }: Error) => toast({ title: 'Could not copy the files', description: message, tone: 'error' }),
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-canvas px-3 py-1 text-small">
        {sandbox && <SandboxPill sandbox={sandbox} />}
        <TextLink to="/sandboxes/$id" params={{ id }}>
          {sandbox?.name ?? 'Sandbox'}
        </TextLink>
        <span className="flex-1" />
        <Button
          size="small"
          look="quiet"
          icon={<ArrowDownToLine aria-hidden />}
          busy={bring.isPending}
          onClick={() => bring.mutate(request, tell('Copied'))}
        >
          Copy from workspace
        </Button>
        <Button
          size="small"
          look="quiet"
          icon={<ArrowUpFromLine aria-hidden />}
          disabled={!mayWrite.may}
          busy={save.isPending}
          onClick={() => save.mutate(request, tell('Saved'))}
        >
          Save to workspace
        </Button>
      </div>
      {sandbox && <Terminals sandbox={sandbox} opens={sandbox.status === 'running'} />}
    </div>
  )
}
