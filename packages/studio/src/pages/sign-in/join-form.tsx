import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useInvitationAccept } from '../../data/access/invitation.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useNewPassword } from './use-new-password.ts'

interface JoinFormProps {
  token: string
  email: string
  teamName: string
}

/** Someone new: they choose a name and a password. */
export function JoinForm({ token, email, teamName }: JoinFormProps) {
  const accept = useInvitationAccept()
  const navigate = useNavigate()
  const draft = useDraft('join', { name: '' })
  const password = useNewPassword()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!password.isReady()) return
    accept.mutate(
      { body: { token, name: draft.value.name, password: password.value } },
      {
        onSuccess() {
          draft.forget()
          void navigate({ to: '/', replace: true })
        },
      },
    )
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {/* password managers store the pair of e-mail and password */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your name">
        <Input
          name="name"
          autoComplete="name"
          required
          maxLength={80}
          autoFocus
          value={draft.value.name}
          onChange={(event) => draft.change({ name: event.target.value })}
        />
      </Field>
      <NewPasswordField label="Password" name="password" password={password} />
      <FormError error={accept.error} />
      <Button type="submit" look="primary" busy={accept.isPending} className="h-10!">
        Join {teamName}
      </Button>
    </form>
  )
}
