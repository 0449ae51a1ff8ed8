import type { ExecutionSummary } from '@coherex/contract'
import { RotateCw, Square } from 'lucide-react'
import { useExecutionRetry } from '../../data/execution.ts'
import { useRight } from '../../data/rights.ts'
import { useRunCancel } from '../../data/run/run-cancel.ts'
import { useTurnStop } from '../../data/thread/turn-stop.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.ts'

type Acted = Pick<ExecutionSummary, 'kind' | 'id' | 'endedAt'>

/** Stops what is under way. */
export function useStop({ kind, id }: Pick<Acted, 'kind' | 'id'>) {
  const cancel = useRunCancel()
  const stop = useTurnStop()
  const call = kind === 'run' ? cancel : stop
  return {
    busy: call.isPending,
    stop: () => call.mutate({ params: { id } }, { onError: tell(`Could not stop the ${kind}`) }),
  }
}

/** Does it again, and says which one does. */
export function useRetry({ kind, id }: Pick<Acted, 'kind' | 'id'>, onRetried: (id: string) => void) {
  const retry = useExecutionRetry()
  return {
    busy: retry.isPending,
    retry: () =>
      retry.mutate(
        { params: { id }, body: {} },
        { onSuccess: (next) => onRetried(next.id), onError: tell(`Could not retry the ${kind}`) },
      ),
  }
}

/** The one thing to do with a row of the list: stop it, or do it again. */
export function RowAction({ execution, onRetried }: { execution: Acted; onRetried: (id: string) => void }) {
  const right = useRight('editor', 'run code')
  const { busy: stopping, stop } = useStop(execution)
  const { busy: retrying, retry } = useRetry(execution, onRetried)
  if (!right.may) return null
  const open = execution.endedAt === null
  return (
    <IconButton
      label={open ? `Stop the ${execution.kind}` : `Retry the ${execution.kind}`}
      size="small"
      icon={open ? <Square aria-hidden /> : <RotateCw aria-hidden />}
      busy={open ? stopping : retrying}
      onClick={(event) => {
        event.stopPropagation()
        if (open) stop()
        else retry()
      }}
    />
  )
}

function tell(title: string): (error: Error) => void {
  return (error) => void toast({ title, description: error.message, tone: 'error' })
}
