import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

export function Checkbox({ checked, onChange, children, hint, disabled }: CheckboxProps) {
  return (
    <label className="flex items-start gap-2.5 text-body select-none">
      <Base.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-surface transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
      >
        <Base.Indicator className="text-on-accent">
          <Check aria-hidden strokeWidth={3} className="size-3" />
        </Base.Indicator>
      </Base.Root>
      <span>
        {children}
        {hint && <span className="block text-small text-muted">{hint}</span>}
      </span>
    </label>
  )
}
