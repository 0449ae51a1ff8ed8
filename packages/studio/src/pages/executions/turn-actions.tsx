import type { Turn } from '@coherex/contract'
import { Maximize2, MessageSquare, Play, RotateCw, Square, X } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useTurnContinue } from '../../data/thread/turn-continue.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useRunAgain, useStop } from '../runs/execution-actions.tsx'

interface TurnActionsProps {
  turn: Turn
  onNext: (id: string) => void
  /** Beside a list: how to leave it, and a way to the turn's own page. */
  onClose?: (() => void) | undefined
}

export function TurnActions({ turn, onNext, onClose }: TurnActionsProps) {
  const { id, threadId, status, endedAt } = turn
  const right = useRight('editor', 'run agents')
  const { busy: stopping, stop } = useStop({ kind: 'turn', id })
  const { ask, dialog } = useRunAgain({ kind: 'turn', id }, onNext)
  const goOn = useTurnContinue()
  const disabled = !right.may
  const proceed = () =>
    goOn.mutate(
      { params: { id }, query: { wait: 'false' } },
      {
        onSuccess: (next) => onNext(next.id),
        onError: (error) => toast({ title: 'Could not continue', description: error.message, tone: 'error' }),
      },
    )
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {endedAt === null ? (
        <Reason why={right.why}>
          <Button look="danger-quiet" icon={<Square aria-hidden />} busy={stopping} disabled={disabled} onClick={stop}>
            Stop
          </Button>
        </Reason>
      ) : (
        <>
          {status !== 'done' && (
            <Reason why={right.why}>
              <Button icon={<Play aria-hidden />} busy={goOn.isPending} disabled={disabled} onClick={proceed}>
                Continue
              </Button>
            </Reason>
          )}
          <Reason why={right.why}>
            <Button icon={<RotateCw aria-hidden />} disabled={disabled} onClick={ask}>
              Run again…
            </Button>
          </Reason>
        </>
      )}
      {dialog}
      <LinkButton to="/threads/$id" params={{ id: threadId }}>
        <MessageSquare aria-hidden /> Thread
      </LinkButton>
      {onClose && (
        <>
          <Tooltip text="Open on its own page">
            <LinkButton to="/executions/$id" params={{ id }} look="quiet" aria-label="Open on its own page">
              <Maximize2 aria-hidden />
            </LinkButton>
          </Tooltip>
          <IconButton label="Close details" shortcut="escape" icon={<X aria-hidden />} onClick={onClose} />
        </>
      )}
    </div>
  )
}
