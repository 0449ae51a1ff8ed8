import type { Sandbox } from '@coherex/contract'
import { useSandboxDelete } from '../../data/sandbox.ts'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'

interface DeleteSandboxDialogProps {
  sandbox: Sandbox
  onClose: () => void
  onDeleted: () => void
}

export function DeleteSandboxDialog({ sandbox: { id, name }, onClose, onDeleted }: DeleteSandboxDialogProps) {
  return (
    <DeleteDialog
      noun="sandbox"
      name={name}
      remove={useSandboxDelete()}
      params={{ id }}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      Its processes end, and its files and variables are gone for everyone. Fork it first to keep a copy of the files.
    </DeleteDialog>
  )
}
