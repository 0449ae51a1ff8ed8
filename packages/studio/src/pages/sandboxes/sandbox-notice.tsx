import type { Sandbox } from '@coherex/contract'
import { RotateCcw, RotateCw } from 'lucide-react'
import { useRight } from '../../data/rights.ts'
import { useSandboxRerun, useSandboxReset } from '../../data/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { toast } from '../../ui/toast.ts'
import { hasLostVariables, isFullOfProcesses } from './sandbox-words.ts'

/** What a person should know before the next cell, such as that variables are gone. */
export function SandboxNotice({ sandbox }: { sandbox: Sandbox }) {
  const { id, notice, status, reason } = sandbox
  const rerun = useSandboxRerun()
  const reset = useSandboxReset()
  const { may } = useRight('editor', 'run cells')
  const words =
    notice ?? (status === 'sleeping' ? `It sleeps: ${reason ?? 'nobody used it'}. The next cell wakes it.` : undefined)
  if (words === undefined) return null

  function runAgain() {
    rerun.mutate(
      { params: { id }, body: {} },
      {
        onSuccess: ({ runs, left }) =>
          toast(
            left === 0
              ? { title: `${runs.length} ${runs.length === 1 ? 'cell' : 'cells'} ran again` }
              : { title: 'A cell failed', description: `${left} after it were not run.`, tone: 'error' },
          ),
        onError: (error) => toast({ title: 'The cells could not be run', description: error.message, tone: 'error' }),
      },
    )
  }
  function endSessions() {
    reset.mutate(
      { params: { id }, body: {} },
      {
        onSuccess: () => toast({ title: 'Sessions are ended' }),
        onError: (error) => toast({ title: 'It could not be reset', description: error.message, tone: 'error' }),
      },
    )
  }
  const needsCare = hasLostVariables(sandbox) || isFullOfProcesses(sandbox)
  return (
    <div className="shrink-0 border-b border-line px-5 py-2 max-md:px-4">
      <Callout tone={needsCare ? 'warning' : 'info'}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="min-w-0 flex-1 basis-64">{words}</span>
          {hasLostVariables(sandbox) && may && (
            <Button size="small" icon={<RotateCw aria-hidden />} busy={rerun.isPending} onClick={runAgain}>
              Run the cells again
            </Button>
          )}
          {isFullOfProcesses(sandbox) && may && (
            <Button size="small" icon={<RotateCcw aria-hidden />} busy={reset.isPending} onClick={endSessions}>
              Reset
            </Button>
          )}
        </div>
      </Callout>
    </div>
  )
}
