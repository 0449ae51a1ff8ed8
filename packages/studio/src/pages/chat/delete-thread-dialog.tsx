import type { ThreadSummary } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { useThreadDelete } from '../../data/thread/thread-delete.ts'
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { threadTitle } from './thread-words.ts'

export function DeleteThreadDialog({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const remove = useThreadDelete()
  const navigate = useNavigate()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete “${threadTitle(thread)}”?`}
      confirm="Delete conversation"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id: thread.id } },
          {
            onSuccess() {
              toast({ title: 'The conversation is deleted' })
              void navigate({ to: '/threads' })
            },
          },
        )
      }
    >
      {thread.reach === 'private'
        ? 'Deletes all its messages and branches, its sandbox and its runs. Export it first to keep a copy.'
        : 'Deletes all its messages and branches for everyone in the team. Export it first to keep a copy.'}
    </AlertDialog>
  )
}
