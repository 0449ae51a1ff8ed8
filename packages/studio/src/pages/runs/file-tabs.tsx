import { X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'

interface FileTabsProps {
  paths: readonly string[]
  active: string
  onPick: (path: string) => void
  /** The first is the entry and stays. */
  onRemove?: (path: string) => void
}

/** The files of a program, the entry first. */
export function FileTabs({ paths, active, onPick, onRemove }: FileTabsProps) {
  const strip = useRef<HTMLDivElement>(null)
  // it is often picked from elsewhere, such as by the error that is in it
  useLayoutEffect(() => {
    strip.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  function remove(path: string, index: number) {
    // the button that has the focus goes with its file
    strip.current?.querySelectorAll<HTMLElement>('[aria-pressed]')[index - 1]?.focus()
    onRemove?.(path)
  }

  return (
    <div
      ref={strip}
      role="group"
      aria-label="Files of the program"
      className="flex shrink-0 overflow-x-auto border-b border-line bg-sunken"
    >
      {paths.map((path, index) => (
        <span
          key={path}
          className={classNames(
            'flex shrink-0 items-center border-r border-line',
            path === active ? 'bg-surface text-text' : 'text-muted hover:text-text',
          )}
        >
          <button
            type="button"
            aria-pressed={path === active}
            onClick={() => onPick(path)}
            className="h-8 px-3 font-mono text-small focus-visible:-outline-offset-2"
          >
            {path}
          </button>
          {onRemove && index > 0 && (
            <button
              type="button"
              aria-label={`Remove ${path}`}
              onClick={() => remove(path, index)}
              className="mr-1 flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          )}
        </span>
      ))}
    </div>
  )
}
