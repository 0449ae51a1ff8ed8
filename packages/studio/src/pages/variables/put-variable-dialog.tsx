import type { Variable } from '@coherex/contract'
import { type VariableOwner, ownerKey, useVariablePut } from '../../data/variable.ts'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/toast/toast.ts'
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
  const put = useVariablePut(owner)
  const form = useForm({
    draft: `put-variable.${ownerKey(owner)}.${variable?.name ?? ''}`,
    initial: { name: variable?.name ?? '', value: variable?.value ?? '' },
    fields: ['name', 'value'],
    check: ({ name }) => ({ name: variableNameProblem(name) }),
    send: put,
    onSent(_, { name }) {
      onClose()
      toast({ title: `${name} is set` })
    },
  })
  const { name } = form.values
  const isTaken = !variable && taken.some((one) => one.name === name)

  function close() {
    form.forget()
    onClose()
  }

  return (
    <FormDialog
      title={variable ? `Change ${variable.name}` : 'Add variable'}
      description="Everyone who can run code can read it. Do not store passwords or tokens here."
      form={form}
      action={variable ? 'Change value' : 'Add variable'}
      onClose={close}
    >
      {!variable && (
        <Field
          label="Name"
          hint={isTaken ? `There is a ${name} already: its value is replaced.` : 'Letters, digits and _.'}
          error={form.errorOf('name')}
        >
          <Input
            required
            autoFocus
            maxLength={128}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono"
            placeholder="REGION"
            {...form.text('name')}
          />
        </Field>
      )}
      <Field label="Value" error={form.errorOf('value')}>
        <TextArea
          autoFocus={Boolean(variable)}
          maxLength={32_768}
          rows={3}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          {...form.text('value')}
        />
      </Field>
    </FormDialog>
  )
}
