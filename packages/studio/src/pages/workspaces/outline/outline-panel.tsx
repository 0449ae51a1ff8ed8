import { Box, Braces, Hash, ListTree, SquareFunction, SquareCode, Variable } from 'lucide-react'
import { useMemo } from 'react'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { useLiveText } from '../../../live/use-live-text.ts'
import { Empty } from '../../../ui/empty.tsx'
import { useCursorLine, type CursorPlace } from '../cursor-place.ts'
import { hasOutline, outlineOf, symbolsAt, type FileSymbol } from './outline-of.ts'

const icons = {
  function: SquareFunction,
  class: Box,
  type: Braces,
  constant: Variable,
  heading: Hash,
  cell: SquareCode,
} as const
const pauseMs = 200

/** What a file defines, as it is typed. */
export function useOutline(live: LiveWorkspace | undefined, path: string | undefined): FileSymbol[] {
  const text = useLiveText(path !== undefined && hasOutline(path) ? live : undefined, path, pauseMs)
  return useMemo(() => (path === undefined || text === undefined ? [] : outlineOf(path, text)), [path, text])
}

interface OutlinePanelProps {
  live: LiveWorkspace | undefined
  path: string | undefined
  /** Where one types. */
  cursor: CursorPlace
  onOpen: (path: string, line: number) => void
}

/** What the open file defines; each leads to its line. */
export function OutlinePanel({ live, path, cursor, onOpen }: OutlinePanelProps) {
  const symbols = useOutline(live, path)
  const line = useCursorLine(cursor, path)
  const current = line === undefined ? undefined : symbolsAt(symbols, line).at(-1)
  if (path === undefined || symbols.length === 0) {
    return (
      <Empty icon={ListTree} title="No outline">
        Open a program or a Markdown file to see what it defines.
      </Empty>
    )
  }
  return (
    <ul aria-label={`Outline of ${path}`} className="py-1">
      {symbols.map((symbol) => {
        const Icon = icons[symbol.kind]
        return (
          <li key={symbol.line}>
            <button
              type="button"
              aria-current={symbol.line === current?.line || undefined}
              style={{ paddingLeft: `${1 + Math.min(symbol.depth, 8)}rem` }}
              onClick={() => onOpen(path, symbol.line)}
              className="flex w-full items-center gap-2 py-0.5 pr-4 text-left text-dense hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:bg-hover aria-[current]:font-medium max-md:py-2"
            >
              <Icon aria-label={symbol.kind} className="size-4 shrink-0 text-muted" />
              <span className="truncate">{symbol.name}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
