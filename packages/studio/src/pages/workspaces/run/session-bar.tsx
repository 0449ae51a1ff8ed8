import type { Language } from '@coherex/contract'
import { RotateCcw, Square } from 'lucide-react'
import { useEffect } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { useSandbox, useSandboxInterrupt, useSandboxReset } from '../../../data/sandbox.ts'
import { languageNames } from '../../../output/run-words.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast/toast.ts'

interface SessionBarProps {
  sandboxId: string
  /** Of the open file: its session comes first. */
  language: Language | undefined
  /** A new value looks at the session again, such as the state of the last run. */
  after: string | undefined
}

/** The session that cells share: what it does, and how it is interrupted and begun anew. */
export function SessionBar({ sandboxId, language, after }: SessionBarProps) {
  const { data: sandbox, refetch } = useSandbox(sandboxId)
  const { may } = useRight('editor', 'run cells')
  const interrupt = useSandboxInterrupt()
  const reset = useSandboxReset()
  useEffect(() => void refetch(), [after, refetch])
  const sessions = sandbox?.sessions ?? []
  const session = sessions.find((one) => one.language === language) ?? sessions[0]
  if (!session) return null
  const name = languageNames[session.language]
  const isRunning = session.status !== 'idle'
  const request = { params: { id: sandboxId }, body: { context: session.context } }
  const failed = (title: string) => ({
    onError: ({ message }: Error) => toast({ title, description: message, tone: 'error' }),
  })
  return (
    <div role="group" aria-label="Session" className="flex items-center gap-1 text-small whitespace-nowrap text-muted">
      <span role="status" className="max-sm:sr-only">
        {name} session, {isRunning ? session.status : `${session.cells} ${session.cells === 1 ? 'cell' : 'cells'}`}
      </span>
      <IconButton
        label={`Interrupt the ${name} session`}
        size="small"
        icon={<Square aria-hidden />}
        disabled={!may || !isRunning}
        busy={interrupt.isPending}
        onClick={() => interrupt.mutate(request, failed('Could not interrupt the session'))}
      />
      <IconButton
        label={`Reset the ${name} session`}
        size="small"
        icon={<RotateCcw aria-hidden />}
        disabled={!may}
        busy={reset.isPending}
        onClick={() =>
          reset.mutate(request, {
            ...failed('Could not reset the session'),
            onSuccess: () => toast({ title: `${name} session reset`, description: 'Its variables are gone.' }),
          })
        }
      />
    </div>
  )
}
