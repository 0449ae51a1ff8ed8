import type { Run } from '@coherex/contract'
import { Link2, Maximize2, RotateCw, Square, X } from 'lucide-react'
import { useRight } from '../../data/rights.ts'
import { useRunCancel } from '../../data/run/run-cancel.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useStopKey } from './use-stop-key.ts'

interface RunActionsProps {
  run: Run
  /** Beside a list: how to leave it, and a way to the run's own page. */
  onClose?: (() => void) | undefined
}

export function RunActions({ run, onClose }: RunActionsProps) {
  const mayRun = useRight('editor', 'run code')
  const copyLink = () =>
    void copyText(`${location.origin}/runs/${run.id}`).then((done) => done && toast({ title: 'Link copied' }))
  return (
    <div className="flex items-center gap-1.5">
      {!hasEnded(run) && <StopButton run={run} />}
      {mayRun.may ? (
        <LinkButton to="/scratch" search={{ run: run.id }}>
          <RotateCw aria-hidden /> Run again
        </LinkButton>
      ) : (
        <Reason why={mayRun.why}>
          <Button disabled icon={<RotateCw aria-hidden />}>
            Run again
          </Button>
        </Reason>
      )}
      <IconButton label="Copy link" icon={<Link2 aria-hidden />} onClick={copyLink} />
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

/** Stops a run. Ctrl or Cmd with a full stop does the same. */
export function StopButton({ run }: { run: Pick<Run, 'id'> }) {
  const cancel = useRunCancel()
  const mayRun = useRight('editor', 'stop runs')
  const stop = () => {
    if (cancel.isPending || !mayRun.may) return
    cancel.mutate(
      { params: { id: run.id } },
      { onError: (error) => toast({ title: 'Could not stop the run', description: error.message, tone: 'error' }) },
    )
  }
  useStopKey(stop)
  return (
    <Reason why={mayRun.why}>
      <Tooltip text="Stop the run and everything it started" shortcut="mod .">
        <Button
          look="danger-quiet"
          icon={<Square aria-hidden />}
          busy={cancel.isPending}
          disabled={!mayRun.may}
          onClick={stop}
        >
          Stop
        </Button>
      </Tooltip>
    </Reason>
  )
}
