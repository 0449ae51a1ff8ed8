import { RotateCcw } from 'lucide-react'
import { SessionVariables } from '../cell/variables/session-variables.tsx'
import { useSandboxReset } from '../data/sandbox.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog/dialog.tsx'
import { Reason } from '../ui/reason.tsx'
import { toast } from '../ui/toast/toast.ts'
import type { Session } from './session-line.tsx'

interface SessionDialogProps {
  session: Session
  /** Of the language. */
  name: string
  why: string | undefined
  /** Of a session in this browser. */
  onForget: (() => Promise<void>) | undefined
  onClose: () => void
}

/** What the blocks of a language have made so far, and the way to begin anew. */
export function SessionDialog({ session, name, why, onForget, onClose }: SessionDialogProps) {
  const reset = useSandboxReset()
  const { id, context } = session
  function forget() {
    if (onForget) return void onForget().then(onClose)
    reset.mutate(
      { params: { id }, body: { context } },
      {
        onSuccess() {
          toast({ title: `${name} begins anew on the server` })
          onClose()
        },
        onError: (error) =>
          toast({ title: 'Could not forget the variables', description: error.message, tone: 'error' }),
      },
    )
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Variables of the ${name} session`}
      description={
        onForget
          ? 'Blocks of this conversation share them, in this window. They are gone when it is closed or reloaded.'
          : 'Blocks of this conversation and its agent share them, in the sandbox of the conversation. They are gone when it sleeps.'
      }
    >
      <div className="flex h-100 min-h-0 flex-col border-t border-line">
        <SessionVariables {...session} />
      </div>
      <DialogActions>
        <span className="mr-auto">
          <Reason why={why}>
            <Button
              look="danger-quiet"
              icon={<RotateCcw aria-hidden />}
              disabled={why !== undefined}
              busy={reset.isPending}
              onClick={forget}
            >
              Forget variables
            </Button>
          </Reason>
        </span>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
