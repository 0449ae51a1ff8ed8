import type { Role } from '@coherex/contract'
import { MailCheck } from 'lucide-react'
import { useInvitationCreate } from '../../../data/access/invitation.ts'
import { useMe } from '../../../data/access/me.ts'
import { roleChoices } from '../../../data/access/roles.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { CopyField } from '../../../ui/text/copy.tsx'
import { dayAndTime } from '../../../words/relative-time.ts'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: mine, team } = useMe()
  const invite = useInvitationCreate()
  const form = useForm({
    draft: 'invite',
    initial: { email: '', role: 'editor' as Role },
    fields: ['email', 'role'],
    send: (body) => invite.mutateAsync({ body }),
  })

  if (form.answer) {
    const { link, invitation, expiresAt } = form.answer
    return (
      <Dialog open onClose={onClose} title={`${invitation.email} is invited`}>
        <DialogBody>
          {link ? (
            <>
              <p className="text-body text-muted">
                This installation sends no mail: pass this link on yourself. It is shown only now and works until{' '}
                {dayAndTime(expiresAt)}.
              </p>
              <CopyField label="Invitation link" text={link} />
            </>
          ) : (
            <p className="flex items-start gap-2 text-body text-muted">
              <MailCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
              <span>The link is in their inbox. It works until {dayAndTime(expiresAt)}.</span>
            </p>
          )}
        </DialogBody>
        <DialogActions>
          <Button onClick={() => form.reset()}>Invite another</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Invite someone"
      description={`They join ${team?.name} by a link.`}
      form={form}
      action="Invite"
      onClose={onClose}
    >
      <Field label="E-mail" error={form.errorOf('email')}>
        <Input type="email" required autoFocus maxLength={254} {...form.text('email')} />
      </Field>
      <Field label="Role" error={form.errorOf('role')}>
        <Select
          value={form.values.role}
          choices={roleChoices(mine ?? 'viewer')}
          onChange={(role) => form.set({ role })}
        />
      </Field>
    </FormDialog>
  )
}
