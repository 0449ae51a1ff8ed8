import {
  cloneElement,
  lazy,
  Suspense,
  useEffect,
  useState,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
} from 'react'

// most pages are left without one being seen
const Popup = lazy(async () => ({ default: (await import('./tooltip-popup.tsx')).TooltipPopup }))

const waitMs = 350

interface TooltipProps {
  text: ReactNode
  shortcut?: string | undefined
  children: ReactElement<DOMAttributes<Element>>
}

export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const [anchor, setAnchor] = useState<Element>()
  const [timer] = useState(createTimer)
  useEffect(() => timer.stop, [timer])
  const hide = () => {
    timer.stop()
    setAnchor(undefined)
  }
  const { props } = children
  return (
    <>
      {cloneElement(children, {
        onPointerEnter(event) {
          props.onPointerEnter?.(event)
          const { currentTarget, pointerType } = event
          if (pointerType === 'touch') return
          timer.start(() => setAnchor(currentTarget))
        },
        // a popup that is shown knows itself where the pointer went
        onPointerLeave(event) {
          props.onPointerLeave?.(event)
          timer.stop()
        },
        onPointerDown(event) {
          props.onPointerDown?.(event)
          hide()
        },
        onFocus(event) {
          props.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget)
        },
        onBlur(event) {
          props.onBlur?.(event)
          hide()
        },
      })}
      <Suspense>
        {anchor && (
          <Popup anchor={anchor} shortcut={shortcut} onClose={hide}>
            {text}
          </Popup>
        )}
      </Suspense>
    </>
  )
}

function createTimer() {
  let waiting: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(waiting)
  return {
    stop,
    start(show: () => void) {
      stop()
      waiting = setTimeout(show, waitMs)
    },
  }
}
