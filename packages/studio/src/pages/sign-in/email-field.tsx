import type { ComponentProps } from 'react'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'

interface EmailFieldProps extends Pick<ComponentProps<'input'>, 'autoFocus' | 'maxLength'> {
  value: string
  onChange: (email: string) => void
  hint?: string
}

/** The address someone signs in with; password managers keep it beside the password. */
export function EmailField({ value, onChange, hint, ...input }: EmailFieldProps) {
  return (
    <Field label="E-mail" hint={hint}>
      <Input
        {...input}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
