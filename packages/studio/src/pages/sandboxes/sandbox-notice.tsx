import type { Sandbox } from '@coherex/contract'
import { RotateCcw, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useSandboxReset } from '../../data/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { RerunCellsDialog } from './rerun-cells-dialog.tsx'
import { hasLostVariables, isFullOfProcesses, noticeOf } from './sandbox-words.ts'

/** What a person should know before the next cell, such as that variables are gone. */
export function SandboxNotice({ sandbox }: { sandbox: Sandbox }) {
  const { id } = sandbox
  const [isAsking, setAsking] = useState(false)
  const reset = useSandboxReset()
  const { may } = useRight('editor', 'run cells')
  const words = noticeOf(sandbox)

  function endSessions() {
    reset.mutate(
      { params: { id }, body: {} },
      {
        onSuccess: () => toast({ title: 'Sessions restarted' }),
        onError: (error) =>
          toast({ title: 'Could not restart the sandbox', description: error.message, tone: 'error' }),
      },
    )
  }
  const needsCare = hasLostVariables(sandbox) || isFullOfProcesses(sandbox)
  const callout = words !== undefined && (
    <div className="shrink-0 border-b border-line px-5 py-2 max-md:px-4">
      <Callout tone={needsCare ? 'warning' : 'info'}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="min-w-0 flex-1 basis-64">{words}</span>
          {hasLostVariables(sandbox) && may && (
            <Button size="small" icon={<RotateCw aria-hidden />} onClick={() => setAsking(true)}>
              Run all cells again…
            </Button>
          )}
          {isFullOfProcesses(sandbox) && may && (
            <Button size="small" icon={<RotateCcw aria-hidden />} busy={reset.isPending} onClick={endSessions}>
              Restart
            </Button>
          )}
        </div>
      </Callout>
    </div>
  )
  return (
    <>
      {callout}
      {/* it stays while the cells run, which takes the notice away */}
      {isAsking && <RerunCellsDialog id={id} onClose={() => setAsking(false)} />}
    </>
  )
}
