import type { Member } from '@coherex/contract'
import { useMemberResetLink } from '../../../data/access/member.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { CopyField } from '../../../ui/text/copy.tsx'
import { dayAndTime } from '../../../words/relative-time.ts'

export function ResetLinkDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const reset = useMemberResetLink()
  const { id, name, email } = member.person
  return (
    <Dialog open onClose={onClose} title={`Reset the password of ${name || email}`}>
      <DialogBody>
        {!reset.data ? (
          <p className="text-body text-muted">
            Whoever opens the link can set a new password for {email}. Pass it to nobody else. It ends all their
            sessions once it is used. Someone who is also in other teams resets their password themselves.
          </p>
        ) : reset.data.link ? (
          <>
            <p className="text-body text-muted">
              Pass this link on. It is shown only now and works until {dayAndTime(reset.data.expiresAt)}.
            </p>
            <CopyField label="Reset link" text={reset.data.link} />
          </>
        ) : (
          <p className="text-body text-muted">
            The link was mailed to {email}. It works until {dayAndTime(reset.data.expiresAt)}.
          </p>
        )}
        <FormError error={reset.error} />
      </DialogBody>
      <DialogActions>
        {reset.data ? (
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={reset.isPending} onClick={() => reset.mutate({ params: { personId: id } })}>
              Create reset link
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}
