import { X } from 'lucide-react'
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
  return (
    <div
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
              onClick={() => onRemove(path)}
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
