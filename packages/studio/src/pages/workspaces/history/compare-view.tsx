import type { FileDiff } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, RotateCcw, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Right } from '../../../data/rights.ts'
import { versionDiffQuery } from '../../../data/version.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'
import { DiffLines } from '../diff/diff-lines.tsx'
import { countLines, parseDiff } from '../diff/parse-diff.ts'
import { useRestore } from './use-restore.ts'

interface CompareViewProps {
  id: string
  from: number
  to: number
  last: number
  mayWrite: Right
  onCompare: (from: number, to: number) => void
  onClose: () => void
}

/** What differs between two versions, file by file. */
export function CompareView({ id, from, to, last, mayWrite, onCompare, onClose }: CompareViewProps) {
  const diff = useQuery(versionDiffQuery(id, from, to))
  const restore = useRestore(id, last)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-canvas py-1 pr-2 pl-4">
        <h2 className="text-dense font-semibold">Compare</h2>
        <VersionInput label="From version" value={from} most={last} onChange={(next) => onCompare(next, to)} />
        <span aria-hidden className="text-muted">
          →
        </span>
        <VersionInput label="To version" value={to} most={last} onChange={(next) => onCompare(from, next)} />
        <span className="flex-1" />
        {to !== last && (
          <Reason why={mayWrite.why}>
            <Button
              size="small"
              icon={<RotateCcw aria-hidden />}
              disabled={!mayWrite.may || to === 0}
              onClick={() => restore(to)}
            >
              Restore version {to}
            </Button>
          </Reason>
        )}
        <IconButton label="Close comparison" size="small" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto bg-canvas p-3">
        {diff.error && (
          <ErrorState doing="compare the versions" error={diff.error} onRetry={() => void diff.refetch()} />
        )}
        {!diff.data && !diff.error && (
          <Waiting label="Comparing">
            <Skeleton className="h-24 w-full" />
          </Waiting>
        )}
        {diff.data?.items.length === 0 && (
          <p className="py-10 text-center text-dense text-muted">
            The files of version {from} and version {to} are the same.
          </p>
        )}
        {diff.data?.items.map((item) => (
          <FileSection key={item.path} item={item} startsOpen={diff.data.items.length <= 30} />
        ))}
      </div>
    </div>
  )
}

const tones = { added: 'green', changed: 'blue', deleted: 'red', moved: 'violet' } as const

function FileSection({ item, startsOpen }: { item: FileDiff; startsOpen: boolean }) {
  const [open, setOpen] = useState(startsOpen)
  const count = useMemo(() => countLines(parseDiff(item.diff)), [item.diff])
  return (
    <section aria-label={item.path} className="shrink-0 overflow-hidden rounded-lg border border-line bg-surface">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex w-full items-center gap-2 px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <ChevronRight
            aria-hidden
            className={classNames('size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
          />
          <span className="min-w-0 truncate font-mono text-small font-medium">
            {item.from ? `${item.from} → ${item.path}` : item.path}
          </span>
          <Pill tone={tones[item.change]}>{item.change}</Pill>
          <span className="ml-auto flex gap-2 text-small tabular">
            {count.added > 0 && <span className="text-green">+{count.added}</span>}
            {count.removed > 0 && <span className="text-red">−{count.removed}</span>}
          </span>
        </button>
      </h3>
      {open && (
        <div className="border-t border-line">
          {item.diff ? (
            <DiffLines diff={item.diff} label={`Changes of ${item.path}`} />
          ) : (
            <p className="px-4 py-3 text-small text-muted">
              {item.binary ? 'Not text: it was replaced as a whole.' : 'Its content is the same.'}
            </p>
          )}
        </div>
      )}
    </section>
  )
}

interface VersionInputProps {
  label: string
  value: number
  most: number
  onChange: (next: number) => void
}

function VersionInput({ label, value, most, onChange }: VersionInputProps) {
  const [typed, setTyped] = useState<{ text: string; over: number }>()
  const text = typed?.over === value ? typed.text : String(value)
  return (
    <Input
      type="number"
      aria-label={label}
      min={0}
      max={most}
      value={text}
      className="h-7! w-20! text-dense"
      onChange={(event) => {
        const next = event.target.valueAsNumber
        if (Number.isInteger(next) && next >= 0 && next <= most) onChange(next)
        else setTyped({ text: event.target.value, over: value })
      }}
    />
  )
}
