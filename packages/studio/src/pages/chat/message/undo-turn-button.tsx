import type { UndoneChanges } from '@coherex/contract'
import { Undo2 } from 'lucide-react'
import { useRight } from '../../../data/rights.ts'
import { useTurnUndo } from '../../../data/turn-undo.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast/toast.ts'

/** Takes back what an answer did to files, and keeps what people typed since. */
export function UndoTurnButton({ turnId }: { turnId: string }) {
  const undo = useTurnUndo()
  const right = useRight('editor', 'undo changes')
  if (!right.may) return null
  const run = () =>
    undo.mutate(
      { params: { id: turnId } },
      {
        onSuccess: tell,
        onError: (error) => toast({ title: 'Nothing was undone', description: error.message, tone: 'error' }),
      },
    )
  return (
    <Button size="small" look="quiet" icon={<Undo2 aria-hidden />} busy={undo.isPending} onClick={run}>
      Undo changes
    </Button>
  )
}

function tell({ version, undone, kept }: UndoneChanges): void {
  const stays = kept.map(({ path, why }) => `${path} stays as it is: ${why}`).join('. ')
  if (undone.length > 0) {
    const files = undone.length === 1 ? undone[0] : `${undone.length} files`
    toast({ title: `${files}: changes undone as version ${version}`, ...(stays && { description: stays }) })
  } else {
    toast({
      title: 'Nothing was undone',
      description: stays || 'The changes are not in the files any more.',
      tone: 'info',
    })
  }
}
