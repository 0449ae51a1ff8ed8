import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './text/kbd.tsx'

interface TooltipProps {
  text: ReactNode
  shortcut?: string | undefined
  children: ReactElement
}

export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger delay={350} render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup className="flex max-w-72 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-small text-text shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
