import { useParams } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import type { FormEvent } from 'react'
import { usePasswordReset } from '../../data/access/password.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { useNewPassword } from './use-new-password.ts'

export function ResetPage() {
  const { token } = useParams({ from: '/reset/$token' })
  const reset = usePasswordReset()
  const password = useNewPassword()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (password.isReady()) reset.mutate({ body: { token, password: password.value } })
  }

  if (reset.isSuccess) {
    return (
      <EntryLayout title="Your new password is set">
        <div role="status" className="mb-5 flex items-start gap-3 text-body text-muted">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-green" />
          Every browser that was signed in as you has been signed out.
        </div>
        <LinkButton to="/sign-in" look="primary">
          Sign in
        </LinkButton>
      </EntryLayout>
    )
  }
  return (
    <EntryLayout
      title="Set a new password"
      description="All your sessions end, so that only someone with the new password is signed in."
      footer={<TextLink to="/sign-in">Back to sign-in</TextLink>}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <NewPasswordField label="New password" name="password" autoFocus password={password} />
        <FormError error={reset.error} />
        <Button type="submit" look="primary" busy={reset.isPending} className="h-10!">
          Set password
        </Button>
      </form>
    </EntryLayout>
  )
}
