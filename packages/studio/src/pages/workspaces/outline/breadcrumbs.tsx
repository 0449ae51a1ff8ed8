import { ChevronRight } from 'lucide-react'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { useCursorLine, type CursorPlace } from '../cursor-place.ts'
import { symbolsAt } from './outline-of.ts'
import { useOutline } from './outline-panel.tsx'

interface BreadcrumbsProps {
  live: LiveWorkspace | undefined
  path: string
  cursor: CursorPlace
  onOpen: (path: string, line: number) => void
  /** Shows a folder in the tree. */
  onReveal: (folder: string) => void
}

/** The folders of the open file, its name, and what one is in. */
export function Breadcrumbs({ live, path, cursor, onOpen, onReveal }: BreadcrumbsProps) {
  const symbols = symbolsAt(useOutline(live, path), useCursorLine(cursor, path) ?? 0)
  return (
    <nav aria-label="Place in the workspace" className="shrink-0 border-b border-line bg-surface max-md:hidden">
      <ol className="flex h-6 items-center gap-1 overflow-hidden px-3 text-small text-muted">
        {path.split('/').map((part, index, parts) => (
          <li key={`${index} ${part}`} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-3 shrink-0" />}
            {index < parts.length - 1 ? (
              <button
                type="button"
                title={`Show ${part} in Files`}
                onClick={() => onReveal(parts.slice(0, index + 1).join('/'))}
                className="truncate rounded-sm hover:text-text hover:underline"
              >
                {part}
              </button>
            ) : (
              <span className="truncate">{part}</span>
            )}
          </li>
        ))}
        {symbols.map((symbol) => (
          <li key={symbol.line} className="flex min-w-0 items-center gap-1">
            <ChevronRight aria-hidden className="size-3 shrink-0" />
            <button
              type="button"
              onClick={() => onOpen(path, symbol.line)}
              className="truncate rounded-sm hover:text-text hover:underline"
            >
              {symbol.name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
