import { useState, type FormEvent } from 'react'
import { useMe } from '../../data/access/me.ts'
import { usePasswordChange } from '../../data/access/password.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { PasswordInput } from '../../ui/field/password-input.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { NewPasswordField } from '../sign-in/new-password-field.tsx'
import { useNewPassword } from '../sign-in/use-new-password.ts'

export function PasswordCard() {
  const { person } = useMe()
  const change = usePasswordChange()
  const [currentPassword, setCurrent] = useState('')
  const newPassword = useNewPassword()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!newPassword.isReady()) return
    change.mutate(
      { body: { currentPassword, newPassword: newPassword.value } },
      {
        onSuccess() {
          setCurrent('')
          newPassword.clear()
          toast({ title: 'Your password is changed', description: 'Your other sessions have ended.' })
        },
      },
    )
  }

  return (
    <Card title="Password" description="Changing it signs out your other browsers.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <div className="grid gap-4 md:grid-cols-2">
          <Field label="Current password">
            <PasswordInput
              autoComplete="current-password"
              required
              value={currentPassword}
              onChange={(event) => setCurrent(event.target.value)}
            />
          </Field>
          <NewPasswordField label="New password" password={newPassword} />
        </div>
        <FormError error={change.error} />
        <div>
          <Button type="submit" disabled={!currentPassword || !newPassword.value} busy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}
