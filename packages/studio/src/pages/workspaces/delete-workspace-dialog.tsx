import type { Workspace } from '@coherex/contract'
import { useWorkspaceDelete } from '../../data/workspace.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'

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
      Its files and all its versions are gone for everyone, and cannot be brought back. Archive it to only put it out of
      sight.
    </DeleteDialog>
  )
}
