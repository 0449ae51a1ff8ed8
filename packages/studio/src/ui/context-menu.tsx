import { ContextMenu as Base } from '@base-ui/react/context-menu'
import type { ReactNode } from 'react'
import { menuClass } from './menu.tsx'

interface ContextMenuProps {
  /** What a right click, a long touch or the menu key is made on. */
  children: ReactNode
  menu: ReactNode
  className?: string
}

/** A menu where the pointer is. */
export function ContextMenu({ children, menu, className }: ContextMenuProps) {
  return (
    <Base.Root>
      <Base.Trigger className={className}>{children}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner collisionPadding={8} className="z-50">
          <Base.Popup className={menuClass}>{menu}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
