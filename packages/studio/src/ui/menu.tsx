import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface MenuProps {
  trigger: ReactElement
  children: ReactNode
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
  defaultOpen?: boolean
}

export function Menu({ trigger, children, side = 'bottom', align = 'end', defaultOpen = false }: MenuProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup className={menuClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export const menuClass =
  'max-h-(--available-height) min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-text shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

interface MenuItemProps {
  icon?: ReactNode
  children: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  checked?: boolean
  /** Why it is disabled, or what it does. */
  hint?: string | undefined
}

export function MenuItem({ icon, children, onSelect, danger, disabled, checked, hint }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabled ?? false}
      className={classNames(
        'flex items-start gap-2 rounded-md px-2 py-1.5 text-dense outline-none select-none data-highlighted:bg-hover max-md:py-2.5',
        'data-disabled:text-muted [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted',
        danger && !disabled && 'text-red [&>svg]:text-red! data-highlighted:bg-red-soft',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {hint && <span className="block max-w-60 text-small text-muted">{hint}</span>}
      </span>
      {checked && <Check aria-label="current" className="text-accent-text!" />}
    </Base.Item>
  )
}

export function MenuLine() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-small text-muted">{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}
