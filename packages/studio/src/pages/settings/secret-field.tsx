import { useSecretDelete, useSecretPut } from '../../data/secret.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { PasswordInput } from '../../ui/field/password-input.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/toast/toast.ts'

interface SecretFieldProps {
  name: string
  isAddress: boolean
  /** The team has stored a value. */
  isSet: boolean
  onStored: () => void
  onRemoved: () => void
}

/** A value that can be written and not read. It is a secret of the team by that name. */
export function SecretField({ name, isAddress, isSet, onStored, onRemoved }: SecretFieldProps) {
  const put = useSecretPut()
  const remove = useSecretDelete()
  const form = useForm({
    initial: { value: '' },
    fields: ['value'],
    send: ({ value }) => put.mutateAsync({ params: { name }, body: { value: value.trim() } }),
    onSent() {
      toast({ title: `${name} is stored` })
      onStored()
    },
  })
  const Control = isAddress ? Input : PasswordInput
  const placeholder = isAddress ? 'https://models.example.org/v1' : 'Write-only'
  return (
    <form onSubmit={form.submit} className="flex flex-col gap-2">
      <Field label={isAddress ? 'Address' : 'Key'} hint={<code>{name}</code>} error={form.errorOf('value')}>
        <div className="flex gap-2">
          <div className="min-w-0 flex-1">
            <Control
              aria-label={name}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              placeholder={isSet ? 'Stored. A new value replaces it.' : placeholder}
              {...form.text('value')}
            />
          </div>
          <Button type="submit" disabled={form.values.value.trim() === ''} busy={form.busy}>
            Store
          </Button>
          {isSet && (
            <Button
              look="danger-quiet"
              aria-label={`Remove ${name}`}
              busy={remove.isPending}
              onClick={() =>
                remove.mutate(
                  { params: { name } },
                  {
                    onSuccess() {
                      toast({ title: `${name} is removed` })
                      onRemoved()
                    },
                    onError: (error) => toast({ title: error.message, tone: 'error' }),
                  },
                )
              }
            >
              Remove
            </Button>
          )}
        </div>
      </Field>
      <FormError error={form.error} />
    </form>
  )
}
