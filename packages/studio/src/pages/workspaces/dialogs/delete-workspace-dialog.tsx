import type { Workspace } from '@coherex/contract'
import { useWorkspaceDelete } from '../../../data/workspace.ts'
import { DeleteDialog } from '../../../ui/dialog/delete-dialog.tsx'

interface DeleteWorkspaceDialogProps {
  workspace: Workspace
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteWorkspaceDialog({ workspace: { id, name }, onClose, onDeleted }: DeleteWorkspaceDialogProps) {
  return (
    <DeleteDialog
      noun="workspace"
      name={name}
      isTyped
      remove={useWorkspaceDelete()}
      params={{ id }}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      Deletes its files and all its versions for everyone. This cannot be undone. Archive it instead to hide it.
    </DeleteDialog>
  )
}
