import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { useFinalFocus } from './final-focus.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  wide?: boolean
}

export const backdropClass =
  'fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'
export const popupClass =
  'relative flex max-h-full w-full flex-col rounded-lg border border-line bg-raised text-text shadow-float outline-none ' +
  'transition-[opacity,transform] data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0'
export const viewportClass = 'fixed inset-0 z-40 flex items-center justify-center p-4 max-md:items-end max-md:p-2'

export function Dialog({ open, onClose, title, description, children, wide }: DialogProps) {
  const finalFocus = useFinalFocus(open)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className={viewportClass}>
          <Base.Popup finalFocus={finalFocus} className={classNames(popupClass, wide ? 'max-w-160' : 'max-w-112')}>
            <header className="flex items-start gap-4 px-5 pt-4 pb-3">
              <div className="min-w-0 flex-1">
                <Base.Title className="text-lead font-semibold">{title}</Base.Title>
                {description && (
                  <Base.Description className="mt-0.5 text-dense text-muted" render={<div />}>
                    {description}
                  </Base.Description>
                )}
              </div>
              <Base.Close
                aria-label="Close"
                className="-mr-2 flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
              >
                <X aria-hidden className="size-4" />
              </Base.Close>
            </header>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-4 overflow-y-auto px-5 py-2">{children}</div>
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className="flex flex-wrap items-center justify-end gap-2 px-5 pt-3 pb-4">{children}</footer>
}
