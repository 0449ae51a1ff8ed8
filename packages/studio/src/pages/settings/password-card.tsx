import { useState, type FormEvent } from 'react'
import { useMe } from '../../data/me/me-get.ts'
import { usePasswordChange } from '../../data/password/password-change.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { toast } from '../../ui/toast.ts'
import { passwordHint, passwordProblem } from '../sign-in/password-rule.ts'

export function PasswordCard() {
  const { person } = useMe()
  const change = usePasswordChange()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [tried, setTried] = useState(false)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (passwordProblem(newPassword)) return
    change.mutate(
      { body: { currentPassword, newPassword } },
      {
        onSuccess() {
          setCurrent('')
          setNew('')
          setTried(false)
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
          <Field label="New password" hint={passwordHint} error={tried ? passwordProblem(newPassword) : undefined}>
            <PasswordInput
              autoComplete="new-password"
              required
              maxLength={200}
              value={newPassword}
              onChange={(event) => setNew(event.target.value)}
            />
          </Field>
        </div>
        <FormError error={change.error} />
        <div>
          <Button type="submit" disabled={!currentPassword || !newPassword} busy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}
