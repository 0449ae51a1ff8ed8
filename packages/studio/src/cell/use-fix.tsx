import type { Fix, Run } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { NeededApprovals } from '../change/needed-approvals.tsx'
import { readNeeded } from '../change/read-needed.ts'
import { useRunFix } from '../data/run/run-fix.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../ui/dialog/dialog.tsx'
import { toast } from '../ui/toast/toast.ts'
import { explainRefusal } from './explain-refusal.ts'

export interface FixOptions {
  /** Follows the run that takes its place; without it, its own page is opened. */
  onMoved?: ((id: string) => void) | undefined
  /** Keeps what was fixed for the runs to come. */
  onFixed?: ((fix: Fix, stdin?: string) => void) | undefined
}

/** Runs a failed run again with one of its fixes. A call of an agent that needed an approval asks for one again. */
export function useFix(run: Pick<Run, 'id'>, { onMoved, onFixed }: FixOptions) {
  const again = useRunFix()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ fix: Fix; stdin: string | undefined }>()
  const needed = asked && readNeeded(again.error)

  function start(fix: Fix, stdin?: string, approve?: string[]) {
    if (fix.kind === 'install-language' || again.isPending) return
    const { kind, value } = fix
    again.mutate(
      {
        params: { id: run.id },
        query: { wait: 'false' },
        body: { kind, value, ...(stdin !== undefined && { stdin }), ...(approve && { approve }) },
      },
      {
        onSuccess({ id }) {
          setAsked(undefined)
          onFixed?.(fix, stdin)
          if (onMoved) onMoved(id)
          else void navigate({ to: '/runs/$id', params: { id } })
        },
        onError(error) {
          if (readNeeded(error)) return setAsked({ fix, stdin })
          setAsked(undefined)
          toast({ title: 'Could not start the run', description: explainRefusal(error), tone: 'error' })
        },
      },
    )
  }
  let question: ReactNode
  if (needed) {
    const close = () => setAsked(undefined)
    question = (
      <Dialog
        open
        wide
        onClose={close}
        title={`${asked.fix.label}?`}
        description="It may repeat everything it did the first time."
      >
        <DialogBody>
          <NeededApprovals approvals={needed} />
        </DialogBody>
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button
            look="primary"
            busy={again.isPending}
            onClick={() =>
              start(
                asked.fix,
                asked.stdin,
                needed.map(({ hash }) => hash),
              )
            }
          >
            Approve and run
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return { onFix: (fix: Fix, stdin?: string) => start(fix, stdin), busy: again.isPending, question }
}
