import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog, DialogActions, DialogBody } from '../dialog/dialog.tsx'
import { FormError } from '../field/form-error.tsx'
import type { SentForm } from './use-form.ts'

interface FormDialogProps {
  title: string
  description?: ReactNode
  form: SentForm
  /** The verb on the button that sends it. */
  action: string
  icon?: ReactNode
  /** Whether there is something to send. */
  ready?: boolean
  onClose: () => void
  /** Gives up what was typed; without it, it is kept for the next time where there is a draft. */
  onCancel?: () => void
  /** The fields. */
  children: ReactNode
}

/** A dialog that asks for something and sends it; why it was refused stands below the fields. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, form, action, icon, ready = true, onClose, onCancel = onClose, children } = props
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <form onSubmit={form.submit} className="flex min-h-0 flex-col">
        <DialogBody>
          {children}
          <FormError error={form.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" look="primary" icon={icon} disabled={!ready} busy={form.busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
