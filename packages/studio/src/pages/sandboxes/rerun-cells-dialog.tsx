import { NeededApprovals } from '../../change/needed-approvals.tsx'
import { readNeeded } from '../../change/read-needed.ts'
import { useSandboxRerun } from '../../data/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog/dialog.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { toast } from '../../ui/toast/toast.ts'
import type { RerunBody } from './use-run-again.ts'

interface RerunCellsDialogProps {
  id: string
  /** Which cells, and whether in fresh sessions: those that succeeded, in fresh ones, unless said. */
  body?: RerunBody | undefined
  onClose: () => void
}

/** Asks before the cells of a sandbox run once more; calls that needed an approval are shown, and need one again. */
export function RerunCellsDialog({ id, body, onClose }: RerunCellsDialogProps) {
  const rerun = useSandboxRerun()
  const needed = readNeeded(rerun.error)
  const start = () =>
    rerun.mutate(
      { params: { id }, body: { ...body, approve: needed?.map(({ hash }) => hash) } },
      {
        onSuccess: ({ runs, left }) => {
          onClose()
          toast(
            left === 0
              ? { title: `${runs.length} ${runs.length === 1 ? 'cell' : 'cells'} ran again` }
              : { title: 'A cell failed', description: `${left} after it were not run.`, tone: 'error' },
          )
        },
      },
    )
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Run the cells again?"
      description="They run in this sandbox in their order, up to the first that fails. They may repeat everything they did the first time."
    >
      <DialogBody>{needed ? <NeededApprovals approvals={needed} /> : <FormError error={rerun.error} />}</DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={rerun.isPending} onClick={start}>
          {needed ? 'Approve and run' : 'Run the cells'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
