import { X } from 'lucide-react'
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'

export interface OpenTab {
  value: string
  label: string
  /** The whole name, where the label is a part of it. */
  title: string
  icon?: ReactNode
}

interface OpenTabsProps {
  label: string
  tabs: readonly OpenTab[]
  active: string | undefined
  onPick: (value: string) => void
  onClose: (value: string) => void
}

/** The strip of what is open: one tab stop, arrows move, Delete or a middle click shuts. */
export function OpenTabs({ label, tabs, active, onPick, onClose }: OpenTabsProps) {
  const strip = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const list = strip.current
    if (!list) return undefined
    const show = () =>
      list.querySelector('li:has([aria-current])')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show()
    // docks and buttons beside the strip take its room
    const resized = new ResizeObserver(show)
    resized.observe(list)
    return () => resized.disconnect()
  }, [active, tabs.length])
  const stop = tabs.some(({ value }) => value === active) ? active : tabs[0]?.value

  function focus(index: number) {
    strip.current?.querySelectorAll<HTMLElement>('[data-tab]')[index]?.focus()
  }
  function press(event: KeyboardEvent, value: string, index: number) {
    if (event.key === 'ArrowRight') focus(Math.min(index + 1, tabs.length - 1))
    else if (event.key === 'ArrowLeft') focus(Math.max(index - 1, 0))
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(tabs.length - 1)
    else if (event.key === 'Delete') {
      focus(index > 0 ? index - 1 : 1)
      onClose(value)
    } else return
    event.preventDefault()
  }

  return (
    <ul ref={strip} aria-label={label} className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]">
      {tabs.map(({ value, label: name, title, icon }, index) => {
        const isActive = value === active
        return (
          <li
            key={value}
            // a middle click begins to scroll otherwise
            onMouseDown={(event) => event.button === 1 && event.preventDefault()}
            onAuxClick={(event) => event.button === 1 && onClose(value)}
            className={classNames(
              'group relative flex h-9 max-w-60 shrink-0 items-center border-r border-line',
              isActive
                ? 'bg-surface text-text before:absolute before:inset-x-0 before:top-0 before:h-0.5 before:bg-accent-text'
                : 'bg-sunken text-muted hover:text-text',
            )}
          >
            <button
              type="button"
              data-tab
              title={title}
              aria-current={isActive || undefined}
              tabIndex={value === stop ? 0 : -1}
              onClick={() => onPick(value)}
              onKeyDown={(event) => press(event, value, index)}
              className="flex h-full min-w-0 items-center gap-1.5 pl-3 text-dense focus-visible:-outline-offset-2 [&_svg]:size-4 [&_svg]:shrink-0"
            >
              {icon}
              <span className="truncate">{name}</span>
            </button>
            <button
              type="button"
              aria-label={`Close ${title}`}
              title="Close (Alt W)"
              tabIndex={-1}
              onClick={() => onClose(value)}
              className="mx-1 flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
            >
              <X
                aria-hidden
                className={classNames(
                  'size-3.5',
                  !isActive && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-md:opacity-100',
                )}
              />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
