import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode, Ref } from 'react'

interface PopoverProps {
  label: string
  trigger: ReactElement
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
  align?: 'start' | 'end'
  ref?: Ref<HTMLDivElement>
}

/** A panel that floats beside its button, over the page, and leaves it where it is. */
export function Popover({ label, trigger, open, onOpenChange, children, align = 'start', ref }: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} collisionPadding={8} className="z-30">
          <Base.Popup
            ref={ref}
            aria-label={label}
            data-popover
            className="flex max-h-(--available-height) max-w-(--available-width) flex-col rounded-lg border border-line bg-raised text-text shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
