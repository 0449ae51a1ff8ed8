import type { Member } from '@coherex/contract'
import { useMe } from '../../../data/access/me.ts'
import { useMemberRemove } from '../../../data/access/member.ts'
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx'
import { toast } from '../../../ui/toast/toast.ts'

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { team } = useMe()
  const remove = useMemberRemove()
  const { id, name, email } = member.person
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Remove ${name || email}?`}
      confirm="Remove from team"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { personId: id } },
          {
            onSuccess() {
              onClose()
              toast({ title: `${name || email} is removed from ${team?.name}` })
            },
          },
        )
      }
    >
      They lose access to {team?.name} at once, and their API keys for it stop working. What they made stays.
    </AlertDialog>
  )
}
