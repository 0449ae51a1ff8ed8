import { useTagPut } from '../../../data/version.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

const namePattern = /^[A-Za-z0-9][\w.-]{0,79}$/

export function NameVersionDialog({ id, number, onClose }: { id: string; number: number; onClose: () => void }) {
  const put = useTagPut()
  const form = useForm({
    initial: { name: '' },
    fields: ['name'],
    send: ({ name }) => put.mutateAsync({ params: { id, name }, body: { version: number } }),
    onSent: onClose,
  })
  const { name } = form.values
  const fits = namePattern.test(name)
  const problem = name === '' || fits ? undefined : 'Letters, digits, “.”, “_” and “-”'
  return (
    <FormDialog
      title={`Name version ${number}`}
      description="A named version is kept for ever. A name that another version has moves here."
      form={form}
      action="Name version"
      ready={fits}
      onClose={onClose}
    >
      <Field label="Name" error={problem ?? form.errorOf('name')}>
        <Input
          required
          autoFocus
          maxLength={80}
          placeholder="before-the-rewrite"
          value={name}
          onChange={(event) => form.set({ name: event.target.value.replaceAll(' ', '-') })}
        />
      </Field>
    </FormDialog>
  )
}
