import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { isBranch, previewOf, entriesOf } from './json-nodes.ts'

const pageSize = 100
const longText = 500

/** A JSON value one can open level by level. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="overflow-x-auto font-mono text-small leading-5">
      <Node value={value} depth={0} />
    </div>
  )
}

function Node({ name, value, depth }: { name?: ReactNode; value: unknown; depth: number }) {
  const [open, setOpen] = useState(depth === 0 || (depth === 1 && entriesOf(value).length <= 5))
  const [shown, setShown] = useState(pageSize)
  const indent = { paddingLeft: depth * 14 }
  if (!isBranch(value)) {
    return (
      <div style={indent} className="flex gap-1 pl-4">
        <span className="w-4 shrink-0" aria-hidden />
        {name}
        <Leaf value={value} />
      </div>
    )
  }
  const entries = entriesOf(value)
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        style={indent}
        onClick={() => setOpen(!open)}
        className="flex w-full min-w-0 items-center gap-1 rounded-sm text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight aria-hidden className={classNames('size-4 shrink-0 text-muted', open && 'rotate-90')} />
        {name}
        <span className="truncate text-muted">{previewOf(value, open)}</span>
      </button>
      {open &&
        entries
          .slice(0, shown)
          .map(([key, child]) => <Node key={key} name={<Key name={key} />} value={child} depth={depth + 1} />)}
      {open && entries.length > shown && (
        <button
          type="button"
          style={{ paddingLeft: (depth + 1) * 14 + 20 }}
          onClick={() => setShown(shown + pageSize)}
          className="rounded-sm text-accent-text hover:underline"
        >
          {entries.length - shown} more
        </button>
      )}
    </div>
  )
}

function Key({ name }: { name: string }) {
  return <span className="shrink-0 text-muted">{name}:</span>
}

function Leaf({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false)
  if (typeof value !== 'string') {
    return <span className={value === null ? 'text-faint' : 'text-blue'}>{String(value)}</span>
  }
  const cut = !whole && value.length > longText
  return (
    <span className="min-w-0 break-words whitespace-pre-wrap text-green">
      {JSON.stringify(cut ? value.slice(0, longText) : value)}
      {cut && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="ml-1 rounded-sm text-accent-text hover:underline"
        >
          {value.length - longText} more characters
        </button>
      )}
    </span>
  )
}
