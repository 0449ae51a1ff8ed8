import type { Workspace } from '@coherex/contract'
import { useWorkspaceDelete } from '../../data/workspace/workspace-delete.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { toast } from '../../ui/toast.ts'

interface DeleteWorkspaceDialogProps {
  workspace: Workspace
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteWorkspaceDialog({ workspace, onClose, onDeleted }: DeleteWorkspaceDialogProps) {
  const remove = useWorkspaceDelete()
  const { id, name } = workspace
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      confirm="Delete workspace"
      typeName={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess() {
              onClose()
              onDeleted?.()
              toast({ title: `${name} is deleted` })
            },
          },
        )
      }
    >
      Its files and all its versions are gone for everyone, and cannot be brought back. Archive it to only put it out of
      sight.
    </AlertDialog>
  )
}
