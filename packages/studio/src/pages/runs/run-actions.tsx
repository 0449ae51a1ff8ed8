import type { Run } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, FlaskConical, Link2, Maximize2, Pencil, RotateCw, Wrench, X } from 'lucide-react'
import { useState } from 'react'
import { LazyExportAsTool } from '../../cell/lazy-export-as-tool.tsx'
import { StopButton } from '../../cell/stop-button.tsx'
import { useRight } from '../../data/access/rights.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Reason } from '../../ui/reason.tsx'
import { copyText } from '../../ui/text/copy-text.ts'
import { toast } from '../../ui/toast/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useRunAgain } from './execution-actions.tsx'

interface RunActionsProps {
  run: Run
  /** Beside a list: how to leave it, and a way to the run's own page. */
  onClose?: (() => void) | undefined
}

export function RunActions({ run, onClose }: RunActionsProps) {
  const mayRun = useRight('editor', 'run code')
  const navigate = useNavigate()
  const [exporting, setExporting] = useState(false)
  const { tool } = run
  const isDone = run.status === 'succeeded'
  const { ask, dialog } = useRunAgain(
    { kind: 'run', id: run.id },
    (id) => void navigate({ to: '/runs/$id', params: { id } }),
  )
  const copyLink = () =>
    void copyText(`${location.origin}/runs/${run.id}`).then((done) => done && toast({ title: 'Link copied' }))
  return (
    <div className="flex items-center gap-1.5">
      {!hasEnded(run) && <StopButton run={run} />}
      {mayRun.may ? (
        <LinkButton to="/scratch" search={{ run: run.id }}>
          <Pencil aria-hidden /> Edit in Scratch
        </LinkButton>
      ) : (
        <Reason why={mayRun.why}>
          <Button disabled icon={<Pencil aria-hidden />}>
            Edit in Scratch
          </Button>
        </Reason>
      )}
      <Menu
        trigger={
          <Button look="quiet" className="w-8 px-0!" aria-label="More actions" icon={<Ellipsis aria-hidden />} />
        }
      >
        <MenuItem
          icon={<RotateCw aria-hidden />}
          disabled={!mayRun.may || !hasEnded(run)}
          hint={mayRun.why ?? (hasEnded(run) ? undefined : 'It is still running')}
          onSelect={ask}
        >
          Run again…
        </MenuItem>
        <MenuItem
          icon={<Wrench aria-hidden />}
          disabled={!mayRun.may || !isDone}
          hint={mayRun.why ?? (isDone ? undefined : 'Only a run that succeeded')}
          onSelect={() => setExporting(true)}
        >
          Export as tool…
        </MenuItem>
        {tool && (
          <MenuItem
            icon={<FlaskConical aria-hidden />}
            disabled={!mayRun.may || !isDone}
            hint={mayRun.why ?? (isDone ? undefined : 'Only a run that succeeded')}
            onSelect={() =>
              void navigate({ to: '/tools/$name', params: { name: tool.name }, search: { tab: 'tests', run: run.id } })
            }
          >
            Make a test of {tool.name}
          </MenuItem>
        )}
        <MenuItem icon={<Link2 aria-hidden />} onSelect={copyLink}>
          Copy link
        </MenuItem>
      </Menu>
      {dialog}
      {exporting && <LazyExportAsTool from={{ runId: run.id }} name="" onClose={() => setExporting(false)} />}
      {onClose && (
        <>
          <Tooltip text="Open on its own page">
            <LinkButton to="/runs/$id" params={{ id: run.id }} look="quiet" aria-label="Open on its own page">
              <Maximize2 aria-hidden />
            </LinkButton>
          </Tooltip>
          <IconButton label="Close details" shortcut="escape" icon={<X aria-hidden />} onClick={onClose} />
        </>
      )}
    </div>
  )
}
