import type { Role } from '@coherex/contract'
import { MailCheck } from 'lucide-react'
import type { FormEvent } from 'react'
import { useInvitationCreate } from '../../data/invitation.ts'
import { useMe } from '../../data/me.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { dayAndTime } from '../../words/relative-time.ts'
import { roleChoices } from './roles.ts'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: mine, team } = useMe()
  const invite = useInvitationCreate()
  const draft = useDraft('invite', { email: '', role: 'editor' as Role })

  function submit(event: FormEvent) {
    event.preventDefault()
    invite.mutate({ body: draft.value }, { onSuccess: () => draft.forget() })
  }

  if (invite.data) {
    const { link, invitation, expiresAt } = invite.data
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
          <Button onClick={() => invite.reset()}>Invite another</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title="Invite someone" description={`They join ${team?.name} by a link.`}>
      <form onSubmit={submit}>
        <DialogBody>
          <Field label="E-mail">
            <Input
              type="email"
              required
              autoFocus
              maxLength={254}
              value={draft.value.email}
              onChange={(event) => draft.change({ email: event.target.value })}
            />
          </Field>
          <Field label="Role">
            <Select
              value={draft.value.role}
              choices={roleChoices(mine ?? 'viewer')}
              onChange={(role) => draft.change({ role })}
            />
          </Field>
          <FormError error={invite.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            Invite
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
