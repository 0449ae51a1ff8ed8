import { scopes, type Scope } from '@coherex/contract'
import type { FormEvent } from 'react'
import { useKeyCreate } from '../../data/key.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { expiryChoices, expiryOf, type ExpiryChoice } from './key-expiry.ts'

const scopeHints: Record<Scope, string> = {
  read: 'See what is in the team',
  run: 'Run code, and read',
  write: 'Change what is in the team, and read',
  admin: 'Everything you may do yourself',
}

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useKeyCreate()
  const draft = useDraft('create-key', { name: '', scopes: ['read', 'run'] as Scope[], expiry: '90' as ExpiryChoice })
  const { name, scopes: chosen, expiry } = draft.value

  function submit(event: FormEvent) {
    event.preventDefault()
    const expiresAt = expiryOf(expiry, Date.now())
    create.mutate(
      { body: { name: name.trim(), scopes: chosen, ...(expiresAt ? { expiresAt } : {}) } },
      { onSuccess: () => draft.forget() },
    )
  }

  if (create.data) {
    return (
      <Dialog open onClose={onClose} title={`${create.data.name} is ready`} wide>
        <DialogBody>
          <Callout tone="warning">Copy the key now. It is stored only as a hash and is never shown again.</Callout>
          <CopyField label="API key" text={create.data.key} />
          <div>
            <p className="mb-1.5 text-dense text-muted">Try it:</p>
            <Code
              label="Example call"
              text={`curl ${location.origin}/api/v1/team \\\n  -H "Authorization: Bearer ${create.data.key}"`}
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
    <Dialog open onClose={onClose} title="Create API key" description="It acts for you, in this team only.">
      <form onSubmit={submit}>
        <DialogBody>
          <Field label="Name" hint="Where it will be used, such as “CI” or “my laptop”.">
            <Input
              required
              autoFocus
              maxLength={80}
              value={name}
              onChange={(event) => draft.change({ name: event.target.value })}
            />
          </Field>
          <fieldset className="flex flex-col gap-2.5">
            <legend className="mb-2 text-dense font-medium">Scopes</legend>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                checked={chosen.includes(scope)}
                hint={scopeHints[scope]}
                onChange={(on) =>
                  draft.change({ scopes: scopes.filter((one) => (one === scope ? on : chosen.includes(one))) })
                }
              >
                {scope}
              </Checkbox>
            ))}
          </fieldset>
          <Field label="Expires">
            <Select value={expiry} choices={expiryChoices} onChange={(next) => draft.change({ expiry: next })} />
          </Field>
          <FormError error={create.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={name.trim() === '' || chosen.length === 0}
            busy={create.isPending}
          >
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
