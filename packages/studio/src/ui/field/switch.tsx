import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'

interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  disabled?: boolean
}

export function Switch({ checked, onChange, children, disabled }: SwitchProps) {
  return (
    <label className="inline-flex items-center gap-2.5 text-body select-none">
      <Base.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
        className="flex h-5 w-9 shrink-0 rounded-full bg-control p-0.5 transition-colors data-checked:bg-accent data-disabled:opacity-55"
      >
        <Base.Thumb className="size-4 rounded-full bg-[#ffffff] transition-transform data-checked:translate-x-4" />
      </Base.Root>
      {children}
    </label>
  )
}
