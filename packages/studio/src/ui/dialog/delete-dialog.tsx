import type { ReactNode } from 'react'
import { toast } from '../toast/toast.ts'
import { AlertDialog } from './alert-dialog.tsx'

interface DeleteDialogProps<Params> {
  noun: string
  name: string
  /** The name must be typed first: for what many people build on. */
  isTyped?: boolean
  /** The call that deletes. */
  remove: {
    mutate: (request: { params: Params }, options: { onSuccess: () => void }) => void
    isPending: boolean
    error: Error | null
  }
  params: Params
  onClose: () => void
  onDeleted?: (() => void) | undefined
  /** What goes with it. */
  children: ReactNode
}

/** Asks before something is deleted, and says when it is. */
export function DeleteDialog<Params>(props: DeleteDialogProps<Params>) {
  const { noun, name, isTyped = false, remove, params, onClose, onDeleted, children } = props
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      confirm={`Delete ${noun}`}
      {...(isTyped ? { typeName: name } : {})}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params },
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
      {children}
    </AlertDialog>
  )
}
