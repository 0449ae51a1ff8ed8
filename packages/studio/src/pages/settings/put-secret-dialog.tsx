import type { Secret } from '@coherex/contract'
import { useSecretPut } from '../../data/secret.ts'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/toast/toast.ts'
import { secretNameProblem } from './secret-name.ts'

interface PutSecretDialogProps {
  /** The one to replace; without it a new one is stored. */
  secret?: Secret
  onClose: () => void
}

export function PutSecretDialog({ secret, onClose }: PutSecretDialogProps) {
  const put = useSecretPut()
  const form = useForm({
    ...(secret ? {} : { draft: 'put-secret' }),
    initial: { name: secret?.name ?? '', value: '' },
    // a value must not lie in the browser's storage
    secret: ['value'],
    fields: ['value'],
    send: ({ name, value }) => put.mutateAsync({ params: { name }, body: { value } }),
    onSent(_, { name }) {
      onClose()
      toast({ title: secret ? `${name} has a new value` : `${name} is stored` })
    },
  })
  const { name, value } = form.values
  const problem = name === '' ? undefined : secretNameProblem(name)

  return (
    <FormDialog
      title={secret ? `Replace ${secret.name}` : 'Store secret'}
      description="The value is encrypted and never shown again, to anyone."
      form={form}
      action={secret ? 'Replace value' : 'Store secret'}
      ready={name !== '' && problem === undefined && value !== ''}
      onClose={onClose}
    >
      {!secret && (
        <Field
          label="Name"
          hint="Capital letters, digits and _. An existing secret of that name is replaced."
          error={problem}
        >
          <Input
            required
            autoFocus
            maxLength={64}
            spellCheck={false}
            className="font-mono"
            placeholder="GITHUB_TOKEN"
            value={name}
            onChange={(event) => form.set({ name: event.target.value.toUpperCase().replace(/[\s-]/g, '_') })}
          />
        </Field>
      )}
      <Field label={secret ? 'New value' : 'Value'} error={form.errorOf('value')}>
        <TextArea
          required
          autoFocus={Boolean(secret)}
          maxLength={65_536}
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
