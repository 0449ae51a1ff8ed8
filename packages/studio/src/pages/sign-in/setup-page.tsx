import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { meQuery } from '../../data/access/me.ts'
import { useSetupFinish } from '../../data/access/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { EmailField } from './email-field.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { useNewPassword } from './use-new-password.ts'

export function SetupPage() {
  const { data: me } = useQuery(meQuery)
  const navigate = useNavigate()
  const setup = useSetupFinish()
  const draft = useDraft('setup', { name: '', email: '', teamName: me?.team?.name ?? '' })
  const password = useNewPassword()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!password.isReady()) return
    setup.mutate(
      { body: { ...draft.value, password: password.value } },
      {
        onSuccess() {
          draft.forget()
          void navigate({ to: '/', replace: true })
        },
      },
    )
  }

  return (
    <EntryLayout
      title="Welcome. Make it yours"
      description="You are the first one here: you run this installation and own its first team. This takes a minute."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
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
        <EmailField
          hint="You sign in with it. Nothing is sent unless a mail server is set."
          maxLength={254}
          value={draft.value.email}
          onChange={(email) => draft.change({ email })}
        />
        <NewPasswordField label="Password" name="password" password={password} />
        <Field label="Team name" hint="Your company, group or project. You can change it later.">
          <Input
            name="team"
            autoComplete="organization"
            required
            maxLength={60}
            value={draft.value.teamName}
            onChange={(event) => draft.change({ teamName: event.target.value })}
          />
        </Field>
        <FormError error={setup.error} />
        <Button type="submit" look="primary" busy={setup.isPending} className="h-10!">
          Start working
        </Button>
      </form>
    </EntryLayout>
  )
}
