import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useSignInMethods, useSignInPassword } from '../../data/access/sign-in.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { PasswordInput } from '../../ui/field/password-input.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { TextLink } from '../../ui/text/text-link.tsx'
import { EmailField } from './email-field.tsx'
import { EntryLayout } from './entry-layout.tsx'

export function SignInPage() {
  const { next, failed } = useSearch({ from: '/sign-in' })
  const { data: methods } = useSignInMethods()
  const signIn = useSignInPassword()
  const navigate = useNavigate()
  const draft = useDraft('sign-in', { email: '' })
  const [password, setPassword] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    signIn.mutate(
      { body: { email: draft.value.email, password } },
      {
        onSuccess(me) {
          draft.forget()
          void navigate({ href: me.setupDone ? (next ?? '/') : '/setup' })
        },
        onError: () => setPassword(''),
      },
    )
  }

  return (
    <EntryLayout
      title="Sign in"
      description={next ? 'Sign in to go on to where you were heading.' : undefined}
      footer={
        <>
          New here? Ask an admin of your team for an invitation. On a fresh installation, open the sign-in link that the
          server printed when it started.
        </>
      }
    >
      {failed && (
        <div className="mb-5">
          <FormError error={new Error(oidcFailure(failed))} />
        </div>
      )}
      {methods?.oidc && (
        <>
          <a href="/api/v1/sign-in/oidc" className={`${buttonClass('secondary')} h-10! w-full`}>
            Continue with {methods.oidc.name}
          </a>
          <div className="my-5 flex items-center gap-3 text-small text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or with your password
          </div>
        </>
      )}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <EmailField autoFocus value={draft.value.email} onChange={(email) => draft.change({ email })} />
        <Field
          label="Password"
          aside={
            <span className="text-small">
              <TextLink to="/forgot">Forgot it?</TextLink>
            </span>
          }
        >
          <PasswordInput
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <FormError error={signIn.error} />
        <Button type="submit" look="primary" busy={signIn.isPending} className="h-10!">
          Sign in
        </Button>
      </form>
    </EntryLayout>
  )
}

/** Why the provider's way in did not lead in, and what to do about it. */
function oidcFailure(reason: string): string {
  const reasons: Record<string, string> = {
    'unknown-person': 'Nobody with that e-mail address is here yet. Ask an admin of your team for an invitation.',
    'unverified-address': 'The provider has not verified your e-mail address. Verify it there, then try again.',
    expired: 'That sign-in took too long. Try again.',
    provider: 'The sign-in provider did not answer as it should. Try again, or use your password.',
  }
  return reasons[reason] ?? 'That sign-in did not work. Try again, or use your password.'
}
