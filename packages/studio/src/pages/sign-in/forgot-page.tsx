import { MailCheck } from 'lucide-react'
import type { FormEvent } from 'react'
import { usePasswordForgot } from '../../data/access/password.ts'
import { useSignInMethods } from '../../data/access/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { TextLink } from '../../ui/text/text-link.tsx'
import { EmailField } from './email-field.tsx'
import { EntryLayout } from './entry-layout.tsx'

export function ForgotPage() {
  const { data: methods } = useSignInMethods()
  const forgot = usePasswordForgot()
  const draft = useDraft('sign-in', { email: '' })

  function submit(event: FormEvent) {
    event.preventDefault()
    forgot.mutate({ body: { email: draft.value.email } })
  }

  const back = <TextLink to="/sign-in">Back to sign-in</TextLink>
  if (methods && !methods.mail) {
    return (
      <EntryLayout title="Forgot your password?" footer={back}>
        <Callout>
          This installation sends no mail. Ask an admin of your team for a reset link: they find it under Settings,
          Members. An owner who is locked out can run <code className="text-small text-text">coherex user reset</code>{' '}
          on the server.
        </Callout>
      </EntryLayout>
    )
  }
  if (forgot.isSuccess) {
    return (
      <EntryLayout title="Check your inbox" footer={back}>
        <div role="status" className="flex items-start gap-3 text-body text-muted">
          <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-green" />
          <p>
            If someone here has the address <strong className="font-medium text-text">{draft.value.email}</strong>, a
            link to set a new password is on its way.
          </p>
        </div>
      </EntryLayout>
    )
  }
  return (
    <EntryLayout
      title="Forgot your password?"
      description="We send a link to set a new one to your e-mail address."
      footer={back}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <EmailField autoFocus value={draft.value.email} onChange={(email) => draft.change({ email })} />
        <FormError error={forgot.error} />
        <Button type="submit" look="primary" busy={forgot.isPending} className="h-10!">
          Send reset link
        </Button>
      </form>
    </EntryLayout>
  )
}
