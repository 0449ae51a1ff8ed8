import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useState, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Field } from '../field/field.tsx'
import { FormError } from '../field/form-error.tsx'
import { Input } from '../field/input.tsx'
import { backdropClass, DialogActions, DialogBody, popupClass, viewportClass } from './dialog.tsx'
import { useFinalFocus } from './final-focus.ts'

interface AlertDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** What will happen, in one or two sentences. */
  children: ReactNode
  /** The verb of the button. */
  confirm: string
  /** Dangerous unless said. */
  look?: 'danger' | 'primary'
  onConfirm: () => void
  /** Another way that does less. */
  other?: { label: string; run: () => void }
  busy?: boolean
  error?: Error | null
  /** The name of the thing, to be typed before the button works. */
  typeName?: string
}

export function AlertDialog(props: AlertDialogProps) {
  const finalFocus = useFinalFocus(props.open)
  return (
    <Base.Root open={props.open} onOpenChange={(next) => !next && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className={viewportClass}>
          <Base.Popup finalFocus={finalFocus} className={classNames(popupClass, 'max-w-112')}>
            <Question {...props} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function Question({ look = 'danger', ...props }: AlertDialogProps) {
  const { title, children, confirm, onConfirm, onClose, busy, error, typeName, other } = props
  const [typed, setTyped] = useState('')
  const ready = typeName === undefined || typed.trim() === typeName
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) onConfirm()
      }}
    >
      <div className="px-5 pt-4 pb-1">
        <Base.Title className="text-lead font-semibold">{title}</Base.Title>
        <Base.Description className="mt-1 text-body text-muted" render={<div />}>
          {children}
        </Base.Description>
      </div>
      <DialogBody>
        {typeName !== undefined && (
          <Field
            label={
              <>
                Type <strong className="font-semibold">{typeName}</strong> to confirm
              </>
            }
          >
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoFocus />
          </Field>
        )}
        <FormError error={error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {other && (
          <Button disabled={busy ?? false} onClick={other.run}>
            {other.label}
          </Button>
        )}
        <Button type="submit" look={look} disabled={!ready} busy={busy ?? false}>
          {confirm}
        </Button>
      </DialogActions>
    </form>
  )
}
