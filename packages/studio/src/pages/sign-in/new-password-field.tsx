import type { ComponentProps } from 'react'
import { Field } from '../../ui/field/field.tsx'
import { PasswordInput } from '../../ui/field/password-input.tsx'
import { passwordHint } from './password-rule.ts'
import type { NewPassword } from './use-new-password.ts'

interface NewPasswordFieldProps extends Pick<ComponentProps<'input'>, 'name' | 'autoFocus'> {
  label: string
  password: NewPassword
}

export function NewPasswordField({ label, password, ...input }: NewPasswordFieldProps) {
  return (
    <Field label={label} hint={passwordHint} error={password.problem}>
      <PasswordInput
        {...input}
        autoComplete="new-password"
        required
        maxLength={200}
        value={password.value}
        onChange={(event) => password.change(event.target.value)}
      />
    </Field>
  )
}
