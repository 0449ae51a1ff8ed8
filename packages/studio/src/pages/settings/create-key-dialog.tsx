import { scopes, type Scope } from '@coherex/contract'
import { useKeyCreate } from '../../data/access/key.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog/dialog.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Select } from '../../ui/field/select.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Code } from '../../ui/text/code.tsx'
import { CopyField } from '../../ui/text/copy.tsx'
import { expiryChoices, expiryOf, type ExpiryChoice } from './key-expiry.ts'

const scopeHints: Record<Scope, string> = {
  read: 'See what is in the team',
  run: 'Run code, and read',
  write: 'Change what is in the team, and read',
  admin: 'Everything you may do yourself',
}

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useKeyCreate()
  const form = useForm({
    draft: 'create-key',
    initial: { name: '', scopes: ['read', 'run'] as Scope[], expiry: '90' as ExpiryChoice },
    fields: ['name'],
    send({ name, scopes, expiry }) {
      const expiresAt = expiryOf(expiry, Date.now())
      return create.mutateAsync({ body: { name: name.trim(), scopes, ...(expiresAt ? { expiresAt } : {}) } })
    },
  })
  const { name, scopes: chosen, expiry } = form.values

  if (form.answer) {
    return (
      <Dialog open onClose={onClose} title={`${form.answer.name} is ready`} wide>
        <DialogBody>
          <Callout tone="warning">Copy the key now. It is stored only as a hash and is never shown again.</Callout>
          <CopyField label="API key" text={form.answer.key} />
          <div>
            <p className="mb-1.5 text-dense text-muted">Try it:</p>
            <Code
              label="Example call"
              text={`curl ${location.origin}/api/v1/team \\\n  -H "Authorization: Bearer ${form.answer.key}"`}
            />
          </div>
        </DialogBody>
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Create API key"
      description="It acts for you, in this team only."
      form={form}
      action="Create key"
      ready={name.trim() !== '' && chosen.length > 0}
      onClose={onClose}
    >
      <Field label="Name" hint="Where it will be used, such as “CI” or “my laptop”." error={form.errorOf('name')}>
        <Input required autoFocus maxLength={80} {...form.text('name')} />
      </Field>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-2 text-dense font-medium">Scopes</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            checked={chosen.includes(scope)}
            hint={scopeHints[scope]}
            onChange={(on) => form.set({ scopes: scopes.filter((one) => (one === scope ? on : chosen.includes(one))) })}
          >
            {scope}
          </Checkbox>
        ))}
      </fieldset>
      <Field label="Expires">
        <Select value={expiry} choices={expiryChoices} onChange={(next) => form.set({ expiry: next })} />
      </Field>
    </FormDialog>
  )
}
