import type { Variable } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { type VariableOwner, ownerKey, useVariablePut } from '../../data/variable.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'
import { variableNameProblem } from './variable-name.ts'

interface PutVariableDialogProps {
  owner: VariableOwner
  /** The one to change; without it a new one is set. */
  variable?: Variable
  /** Those there are, whose names are taken. */
  taken: readonly Variable[]
  onClose: () => void
}

export function PutVariableDialog({ owner, variable, taken, onClose }: PutVariableDialogProps) {
  const { put, error, isPending } = useVariablePut(owner)
  const draft = useDraft(`put-variable.${ownerKey(owner)}.${variable?.name ?? ''}`, {
    name: variable?.name ?? '',
    value: variable?.value ?? '',
  })
  const { name, value } = draft.value
  // said when it is sent, and from then on as it is typed
  const [isSent, setIsSent] = useState(false)
  const problem = variableNameProblem(name)
  const isTaken = !variable && taken.some((one) => one.name === name)

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsSent(true)
    if (problem) return
    put(
      { name, value },
      {
        onSuccess() {
          draft.forget()
          onClose()
          toast({ title: `${name} is set` })
        },
      },
    )
  }

  function close() {
    draft.forget()
    onClose()
  }

  return (
    <Dialog
      open
      onClose={close}
      title={variable ? `Change ${variable.name}` : 'Add variable'}
      description="Whoever may run code can read it: keep passwords and tokens elsewhere."
    >
      <form onSubmit={submit}>
        <DialogBody>
          {!variable && (
            <Field
              label="Name"
              hint={isTaken ? `There is a ${name} already: its value is replaced.` : 'Letters, digits and _.'}
              error={isSent ? problem : undefined}
            >
              <Input
                required
                autoFocus
                maxLength={128}
                spellCheck={false}
                autoCapitalize="off"
                className="font-mono"
                placeholder="REGION"
                value={name}
                onChange={(event) => draft.change({ name: event.target.value })}
              />
            </Field>
          )}
          <Field label="Value">
            <TextArea
              autoFocus={Boolean(variable)}
              maxLength={32_768}
              rows={3}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              value={value}
              onChange={(event) => draft.change({ value: event.target.value })}
            />
          </Field>
          <FormError error={error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" busy={isPending}>
            {variable ? 'Change value' : 'Add variable'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
