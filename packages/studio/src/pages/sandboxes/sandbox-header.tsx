import type { Cell, Sandbox } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Eraser, GitFork, ListRestart, Play, RotateCcw, Settings, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useCellsClear } from '../../data/cell.ts'
import { useSandboxFork, useSandboxInterrupt, useSandboxReset } from '../../data/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { DeleteSandboxDialog } from './delete-sandbox-dialog.tsx'
import { RerunCellsDialog } from './rerun-cells-dialog.tsx'
import { SandboxName } from './sandbox-name.tsx'
import { SandboxPill } from './sandbox-pill.tsx'
import { SandboxSettings } from './sandbox-settings.tsx'
import { useRunAgain } from './use-run-again.ts'

const failed = (error: Error) =>
  toast({ title: 'Could not change the sandbox', description: error.message, tone: 'error' })

interface SandboxHeaderProps {
  sandbox: Sandbox
  cells: readonly Cell[]
  /** A cell is known to run; what sessions do is only asked for now and then. */
  isRunning: boolean
}

export function SandboxHeader({ sandbox, cells, isRunning }: SandboxHeaderProps) {
  const { id, status } = sandbox
  const navigate = useNavigate()
  const fork = useSandboxFork()
  const interrupt = useSandboxInterrupt()
  const reset = useSandboxReset()
  const clear = useCellsClear()
  const again = useRunAgain(id)
  const [dialog, setDialog] = useState<'settings' | 'delete'>()
  const { may, why } = useRight('editor', 'use sandboxes')
  const isBusy = isRunning || sandbox.sessions.some((session) => session.status === 'running')
  const isOff = !may || status === 'ended'
  const hasCode = cells.some(({ kind, source }) => kind === 'code' && source.trim() !== '')

  return (
    <>
      <span className="text-dense text-muted max-sm:hidden">
        <TextLink to="/sandboxes">Sandboxes</TextLink>
        <span aria-hidden className="px-1.5">
          /
        </span>
      </span>
      <SandboxName sandbox={sandbox} mayRename={!isOff} />
      <span aria-live="polite">
        <SandboxPill sandbox={sandbox} isRunning={isRunning} />
      </span>
      {sandbox.threadId && (
        <span className="text-dense">
          <TextLink to="/threads/$id" params={{ id: sandbox.threadId }}>
            Conversation
          </TextLink>
        </span>
      )}
      <div className="flex items-center gap-1">
        <Button
          size="small"
          icon={<Play aria-hidden />}
          disabled={isOff || !hasCode}
          busy={again.isPending}
          onClick={() => again.run({ cells: 'all', restart: false })}
        >
          Run all
        </Button>
        <Button
          size="small"
          icon={<Square aria-hidden />}
          disabled={isOff || !isBusy}
          busy={interrupt.isPending}
          onClick={() => interrupt.mutate({ params: { id }, body: {} }, { onError: failed })}
        >
          Interrupt
        </Button>
        <Menu trigger={<IconButton label="More" size="small" icon={<Ellipsis aria-hidden />} />}>
          <MenuItem
            icon={<ListRestart aria-hidden />}
            disabled={isOff || !hasCode}
            hint="All cells in fresh sessions"
            onSelect={() => again.run({ cells: 'all' })}
          >
            Restart and run all
          </MenuItem>
          <MenuItem
            icon={<RotateCcw aria-hidden />}
            disabled={isOff}
            hint={why ?? 'Ends all sessions; files stay'}
            onSelect={() =>
              reset.mutate(
                { params: { id }, body: {} },
                { onSuccess: () => toast({ title: 'Sessions restarted' }), onError: failed },
              )
            }
          >
            Restart
          </MenuItem>
          <MenuItem
            icon={<Eraser aria-hidden />}
            disabled={isOff || cells.every(({ runId }) => runId === null)}
            onSelect={() => clear.mutate({ params: { id }, body: {} }, { onError: failed })}
          >
            Clear outputs
          </MenuItem>
          <MenuLine />
          <MenuItem icon={<Settings aria-hidden />} disabled={isOff} onSelect={() => setDialog('settings')}>
            Settings…
          </MenuItem>
          <MenuItem
            icon={<GitFork aria-hidden />}
            disabled={isOff}
            hint="A new sandbox with a copy of the cells and files"
            onSelect={() =>
              fork.mutate(
                { params: { id }, body: {} },
                {
                  onSuccess: (made) => void navigate({ to: '/sandboxes/$id', params: { id: made.id } }),
                  onError: failed,
                },
              )
            }
          >
            Fork
          </MenuItem>
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} danger disabled={isOff} onSelect={() => setDialog('delete')}>
            Delete…
          </MenuItem>
        </Menu>
      </div>
      {again.asked && <RerunCellsDialog id={id} body={again.asked} onClose={again.close} />}
      {dialog === 'settings' && <SandboxSettings sandbox={sandbox} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <DeleteSandboxDialog
          sandbox={sandbox}
          onClose={() => setDialog(undefined)}
          onDeleted={() => void navigate({ to: '/sandboxes' })}
        />
      )}
    </>
  )
}
