import { outgrewIsolate, type Run } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Scaling } from 'lucide-react'
import { useRight } from '../../data/rights.ts'
import { useRunEscalate } from '../../data/run/run-escalate.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { explainRefusal } from './explain-refusal.ts'

interface MoreRoomProps {
  run: Run
  /** Follows the run that takes its place; without it, its own page is opened. */
  onMoved?: ((id: string) => void) | undefined
}

/** A way on for a run that the isolate was too small for. It is asked for because what ran may run twice. */
export function MoreRoom({ run, onMoved }: MoreRoomProps) {
  const escalate = useRunEscalate()
  const navigate = useNavigate()
  const { may } = useRight('editor', 'run code')
  if (!may || outgrewIsolate(run) === undefined) return null
  const move = () =>
    escalate.mutate(
      { params: { id: run.id }, query: { wait: 'false' }, body: {} },
      {
        onSuccess: ({ id }) => (onMoved ? onMoved(id) : void navigate({ to: '/runs/$id', params: { id } })),
        onError: (error) =>
          toast({ title: 'Could not start the run', description: explainRefusal(error), tone: 'error' }),
      },
    )
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2.5 text-small">
      <Button size="small" icon={<Scaling aria-hidden />} busy={escalate.isPending} onClick={move}>
        Run with more room
      </Button>
      <span className="min-w-0 flex-1 text-muted">
        In a process sandbox with four times the memory and time. What it did before, it may do a second time.
      </span>
    </div>
  )
}
