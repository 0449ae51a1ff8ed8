import type { Trigger } from '@coherex/contract'
import { ownerOf, useTriggerMakeSecret } from '../../../data/library/trigger.ts'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { PasswordInput } from '../../../ui/field/password-input.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { CopyField } from '../../../ui/text/copy.tsx'

/** Makes the secret that a sender signs with, and shows it this once. */
export function TriggerSecretDialog({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
  const { id, name, webhook } = trigger
  const owner = ownerOf(trigger)
  const make = useTriggerMakeSecret(owner.kind)
  // Slack makes the secret itself
  const isTheirs = webhook?.signature === 'slack'
  const replaces = (webhook?.secrets.length ?? 0) > 0

  const form = useForm({
    initial: { value: '' },
    fields: ['value'],
    send: ({ value }) =>
      make.mutateAsync({ params: { name: owner.name, id }, body: isTheirs ? { value: value.trim() } : {} }),
  })

  if (form.answer) {
    return (
      <Dialog open onClose={onClose} title={`The secret of ${name}`} wide>
        <DialogBody>
          {isTheirs ? (
            <p className="text-dense">It is stored. Requests that Slack signs with it are taken from now on.</p>
          ) : (
            <>
              <Callout tone="warning">Copy it now and give it to the sender. It is never shown again.</Callout>
              <CopyField label="Secret" text={form.answer.secret} />
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
    <FormDialog
      title={replaces ? `Replace the secret of ${name}` : `Create a secret for ${name}`}
      description={replaces ? 'The old one is taken for another day, so that the sender can change over.' : undefined}
      form={form}
      action={isTheirs ? 'Store secret' : 'Create secret'}
      ready={!isTheirs || form.values.value.trim() !== ''}
      onClose={onClose}
    >
      {isTheirs ? (
        <Field
          label="Signing secret"
          hint="From Slack, under Basic Information of your app."
          error={form.errorOf('value')}
        >
          <PasswordInput required {...form.text('value')} />
        </Field>
      ) : (
        <p className="text-dense text-muted">The sender signs each request with it; what is not signed is refused.</p>
      )}
    </FormDialog>
  )
}
