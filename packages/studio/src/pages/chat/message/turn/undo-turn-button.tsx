import { Undo2 } from 'lucide-react'
import { useRight } from '../../../../data/access/rights.ts'
import { useTurnUndo } from '../../../../data/turn-undo.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toast/toast.ts'
import { tellUndone } from './tell-undone.ts'

/** Takes back what an answer did to files, and keeps what people typed since. */
export function UndoTurnButton({ turnId }: { turnId: string }) {
  const undo = useTurnUndo()
  const right = useRight('editor', 'undo changes')
  if (!right.may) return null
  const run = () =>
    undo.mutate(
      { params: { id: turnId } },
      {
        onSuccess: tellUndone,
        onError: (error) => toast({ title: 'Nothing was undone', description: error.message, tone: 'error' }),
      },
    )
  return (
    <Button size="small" look="quiet" icon={<Undo2 aria-hidden />} busy={undo.isPending} onClick={run}>
      Undo changes
    </Button>
  )
}
