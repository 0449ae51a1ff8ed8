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
  const [hovered, setHovered] = useState<Element>()
  useEffect(() => {
    if (!hovered) return undefined
    const waiting = setTimeout(() => setAnchor(hovered), waitMs)
    return () => clearTimeout(waiting)
  }, [hovered])
  const hide = () => {
    setHovered(undefined)
    setAnchor(undefined)
  }
  const { props } = children
  return (
    <>
      {cloneElement(children, {
        onPointerEnter(event) {
          props.onPointerEnter?.(event)
          if (event.pointerType !== 'touch') setHovered(event.currentTarget)
        },
        // a popup that is shown knows itself where the pointer went
        onPointerLeave(event) {
          props.onPointerLeave?.(event)
          setHovered(undefined)
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
