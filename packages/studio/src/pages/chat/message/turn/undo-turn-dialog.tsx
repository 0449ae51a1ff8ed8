import { useTurnUndo } from '../../../../data/turn-undo.ts'
import { AlertDialog } from '../../../../ui/dialog/alert-dialog.tsx'
import { toast } from '../../../../ui/toast/toast.ts'
import { staysWords, tellUndone } from './tell-undone.ts'

interface UndoTurnDialogProps {
  turnId: string
  onClose: () => void
  /** Shows what was said again. */
  onShow: () => void
}

/** Goes back to before a question: in the files and in the conversation, or in the files alone. */
export function UndoTurnDialog({ turnId, onClose, onShow }: UndoTurnDialogProps) {
  const undo = useTurnUndo()
  const params = { id: turnId }

  async function undoBoth() {
    try {
      // the answer leaves the page with this dialog: what is said after it cannot wait for the dialog
      const { kept } = await undo.mutateAsync({ params, query: { conversation: 'true' } })
      const stays = staysWords(kept)
      toast({
        title: 'The conversation is back before your message',
        ...(stays && { description: stays }),
        action: { label: 'Show it again', run: onShow },
      })
      onClose()
    } catch {
      // the dialog says why
    }
  }
  async function undoFiles() {
    try {
      tellUndone(await undo.mutateAsync({ params }))
      onClose()
    } catch {
      // the dialog says why
    }
  }
  return (
    <AlertDialog
      open
      title="Undo this answer?"
      confirm="Undo files and conversation"
      other={{ label: 'Undo files only', run: () => void undoFiles() }}
      busy={undo.isPending}
      error={undo.error}
      onClose={onClose}
      onConfirm={() => void undoBoth()}
    >
      Removes the changes of this answer and later ones from the files, and returns the conversation to before the
      question. Edits that people made since stay. The messages stay as another version of the conversation.
    </AlertDialog>
  )
}
