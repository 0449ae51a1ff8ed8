import type { Trigger } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { useTriggerMakeSecret } from '../../data/trigger.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

/** Makes the secret that a sender signs with, and shows it this once. */
export function TriggerSecretDialog({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
  const { agent, id, name, webhook } = trigger
  const make = useTriggerMakeSecret()
  const [value, setValue] = useState('')
  // Slack makes the secret itself
  const isTheirs = webhook?.signature === 'slack'
  const replaces = (webhook?.secrets.length ?? 0) > 0

  function submit(event: FormEvent) {
    event.preventDefault()
    make.mutate({ params: { name: agent, id }, body: isTheirs ? { value: value.trim() } : {} })
  }

  if (make.data) {
    return (
      <Dialog open onClose={onClose} title={`The secret of ${name}`} wide>
        <DialogBody>
          {isTheirs ? (
            <p className="text-dense">It is stored. Requests that Slack signs with it are taken from now on.</p>
          ) : (
            <>
              <Callout tone="warning">Copy it now and give it to the sender. It is never shown again.</Callout>
              <CopyField label="Secret" text={make.data.secret} />
            </>
          )}
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
    <Dialog
      open
      onClose={onClose}
      title={replaces ? `Replace the secret of ${name}` : `Make a secret for ${name}`}
      description={replaces ? 'The old one is taken for another day, so that the sender can change over.' : undefined}
    >
      <form onSubmit={submit}>
        <DialogBody>
          {isTheirs ? (
            <Field label="Signing secret" hint="From Slack, under Basic Information of your app.">
              <PasswordInput required value={value} onChange={(event) => setValue(event.target.value)} />
            </Field>
          ) : (
            <p className="text-dense text-muted">
              The sender signs each request with it; what is not signed is refused.
            </p>
          )}
          <FormError error={make.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={make.isPending} disabled={isTheirs && value.trim() === ''}>
            {isTheirs ? 'Store secret' : 'Make secret'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
