import type { ThreadSummary } from '@coherex/contract'
import { useMe } from '../../data/access/me.ts'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { threadTitle } from './thread-words.ts'

/** Asks before a conversation is shared with the team, or taken from it, and says who will see it. */
export function ReachDialog({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const { team } = useMe()
  const change = useThreadChange()
  const isShared = thread.reach === 'team'
  const everyone = `Everyone in ${team?.name ?? 'the team'}`
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={isShared ? `Make “${threadTitle(thread)}” private?` : `Share “${threadTitle(thread)}” with the team?`}
      confirm={isShared ? 'Make private' : 'Share with team'}
      look="primary"
      busy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          { params: { id: thread.id }, body: { reach: isShared ? 'private' : 'team' } },
          {
            onSuccess() {
              toast({
                title: isShared ? 'Only you see this conversation now' : `${everyone} sees this conversation now`,
              })
              onClose()
            },
          },
        )
      }
    >
      {isShared
        ? 'Only you will see it, with its runs, files and sandbox. It disappears from everyone else’s lists, with what they wrote in it. Admins still see that it exists and its cost.'
        : `${everyone} will see it: all messages so far and to come, its runs, files and sandbox. Editors can join in. You can make it private again.`}
    </AlertDialog>
  )
}
