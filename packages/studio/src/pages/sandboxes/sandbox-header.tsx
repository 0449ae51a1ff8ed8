import type { Sandbox } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, GitFork, RotateCcw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/rights.ts'
import { useSandboxFork, useSandboxInterrupt, useSandboxReset } from '../../data/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { toast } from '../../ui/toast.ts'
import { useNow } from '../../ui/use-now.ts'
import { formatMegabytes } from '../../words/quantity.ts'
import { DeleteSandboxDialog } from './delete-sandbox-dialog.tsx'
import { SandboxPill } from './sandbox-pill.tsx'
import { sleepsIn } from './sandbox-words.ts'

const failed = (error: Error) => toast({ title: 'That did not work', description: error.message, tone: 'error' })

interface SandboxHeaderProps {
  sandbox: Sandbox
  /** A cell is known to run; what sessions do is only asked for now and then. */
  isRunning: boolean
}

export function SandboxHeader({ sandbox, isRunning }: SandboxHeaderProps) {
  const { id, name, status, memory, limits, network } = sandbox
  const navigate = useNavigate()
  const fork = useSandboxFork()
  const interrupt = useSandboxInterrupt()
  const reset = useSandboxReset()
  const [deleting, setDeleting] = useState(false)
  const { may, why } = useRight('editor', 'use sandboxes')
  const now = useNow(status === 'running')
  const isBusy = isRunning || sandbox.sessions.some((session) => session.status === 'running')
  const idle = sleepsIn(sandbox, now)
  const isOff = !may || status === 'ended'

  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 max-md:px-4">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="text-small text-muted">
          <TextLink to="/sandboxes">Sandboxes</TextLink>
        </p>
        <h1 className="truncate text-lead font-semibold">{name}</h1>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
        <span aria-live="polite">
          <SandboxPill sandbox={sandbox} isRunning={isRunning} />
        </span>
        <span className="tabular">
          {memory ? `${formatMegabytes(memory.currentMb)} of ` : ''}
          {formatMegabytes(limits.memoryMb)}
        </span>
        {network && <span title={network.allow.join('\n')}>network</span>}
        {idle && <span className="max-sm:hidden">{idle}</span>}
      </div>
      <div className="flex items-center gap-1">
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
            icon={<RotateCcw aria-hidden />}
            disabled={isOff}
            hint={why ?? 'Ends all sessions; files stay'}
            onSelect={() =>
              reset.mutate(
                { params: { id }, body: {} },
                { onSuccess: () => toast({ title: 'Sessions are ended' }), onError: failed },
              )
            }
          >
            Reset
          </MenuItem>
          <MenuItem
            icon={<GitFork aria-hidden />}
            disabled={isOff}
            hint="A new sandbox with a copy of the files"
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
          <MenuItem icon={<Trash2 aria-hidden />} danger disabled={isOff} onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </Menu>
      </div>
      {deleting && (
        <DeleteSandboxDialog
          sandbox={sandbox}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/sandboxes' })}
        />
      )}
    </header>
  )
}
