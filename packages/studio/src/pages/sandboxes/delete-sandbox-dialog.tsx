import type { Sandbox } from '@coherex/contract'
import { useSandboxDelete } from '../../data/sandbox/sandbox-delete.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { toast } from '../../ui/toast.ts'

interface DeleteSandboxDialogProps {
  sandbox: Sandbox
  onClose: () => void
  onDeleted: () => void
}

export function DeleteSandboxDialog({ sandbox: { id, name }, onClose, onDeleted }: DeleteSandboxDialogProps) {
  const remove = useSandboxDelete()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      confirm="Delete sandbox"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess() {
              onClose()
              onDeleted()
              toast({ title: `${name} is deleted` })
            },
          },
        )
      }
    >
      Its processes end, and its files and variables are gone for everyone. Fork it first to keep a copy of the files.
    </AlertDialog>
  )
}
