import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { Kbd } from './text/kbd.tsx'

interface TooltipPopupProps {
  anchor: Element
  shortcut: string | undefined
  onClose: () => void
  children: ReactNode
}

/** Time to cross the gap between the anchor and the popup. */
const graceMs = 100

export function TooltipPopup({ anchor, shortcut, onClose, children }: TooltipPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined
    // of the whole page: an anchor that is disabled or removed under the pointer tells of no leaving
    const follow = ({ target }: PointerEvent) => {
      clearTimeout(leaving)
      const isOver = target instanceof Node && (anchor.contains(target) || popup.current?.contains(target))
      if (!isOver && !anchor.matches(':focus-visible')) leaving = setTimeout(() => close(), graceMs)
    }
    document.addEventListener('pointerover', follow)
    return () => {
      clearTimeout(leaving)
      document.removeEventListener('pointerover', follow)
    }
  }, [anchor])
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            ref={popup}
            className="flex max-w-72 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-small text-text shadow-float transition-opacity data-starting-style:opacity-0"
          >
            {children}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
