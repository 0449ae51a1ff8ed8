import type { Run } from '@coherex/contract'
import { Square } from 'lucide-react'
import { useRight } from '../data/access/rights.ts'
import { useRunCancel } from '../data/run/run-cancel.ts'
import { Button } from '../ui/button.tsx'
import { Reason } from '../ui/reason.tsx'
import { toast } from '../ui/toast/toast.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { useStopKey } from './use-stop-key.ts'

/** Stops a run. Ctrl or Cmd with a full stop does the same. */
export function StopButton({ run, size = 'medium' }: { run: Pick<Run, 'id'>; size?: 'small' | 'medium' }) {
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
          size={size}
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
