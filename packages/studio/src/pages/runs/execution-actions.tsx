import type { ExecutionSummary } from '@coherex/contract'
import { Ellipsis, RotateCw, Square } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useRunCancel } from '../../data/run/run-cancel.ts'
import { useTurnStop } from '../../data/thread/turn-stop.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'

const RunAgainDialog = lazy(async () => ({ default: (await import('./run-again-dialog.tsx')).RunAgainDialog }))

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

/** Asks before an execution is done again: a dialog to show, and what opens it. */
export function useRunAgain(execution: Pick<Acted, 'kind' | 'id'>, onStarted: (id: string) => void) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const dialog = isAsking && (
    <Suspense>
      <RunAgainDialog
        execution={execution}
        onClose={close}
        onStarted={(id) => {
          close()
          onStarted(id)
        }}
      />
    </Suspense>
  )
  return { ask: () => setAsking(true), dialog }
}

/** What can be done with a row of the list. */
export function RowMenu({ execution, onStarted }: { execution: Acted; onStarted: (id: string) => void }) {
  const right = useRight('editor', 'run code')
  const { busy, stop } = useStop(execution)
  const { ask, dialog } = useRunAgain(execution, onStarted)
  if (!right.may) return null
  return (
    // presses in here are none of the row's
    <span role="presentation" onClick={(event) => event.stopPropagation()}>
      <Menu
        trigger={
          <Button
            look="quiet"
            size="small"
            className="w-7 px-0!"
            aria-label={`Actions for this ${execution.kind}`}
            busy={busy}
            icon={<Ellipsis aria-hidden />}
          />
        }
      >
        {execution.endedAt === null ? (
          <MenuItem icon={<Square aria-hidden />} onSelect={stop}>
            Stop
          </MenuItem>
        ) : (
          <MenuItem icon={<RotateCw aria-hidden />} onSelect={ask}>
            Run again…
          </MenuItem>
        )}
      </Menu>
      {dialog}
    </span>
  )
}

function tell(title: string): (error: Error) => void {
  return (error) => void toast({ title, description: error.message, tone: 'error' })
}
