import { formatBytes } from '@coherex/contract'
import { ChevronRight, Columns2 } from 'lucide-react'
import { useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Pill } from '../ui/pill.tsx'
import { CopyButton } from '../ui/text/copy-button.tsx'
import { AddedRemoved } from './added-removed.tsx'
import { DiffRows, type WholeFile } from './diff-rows.tsx'
import { countLines, parseDiff, type DiffRow, type FileDiffText } from './parse-diff.ts'
import { useBesideChoice } from './use-beside-choice.ts'
import { VisibleText } from './visible-text.tsx'

export interface FileChangeProps extends FileDiffText {
  /** Reads the file on one side of the change, for the lines that the diff leaves out. */
  whole?: WholeFile | undefined
  /** Where to go and what to do from here: open the file, restore it. */
  actions?: ReactNode
  /** What to know before reading it. */
  notice?: ReactNode
  startsOpen?: boolean
  /** Of a piece of the file: the diff does not know where in it. */
  hideNumbers?: boolean
  /** Scrolls within itself, where it is one of many things. */
  isBounded?: boolean
}

const kinds = {
  added: { tone: 'green', word: 'New file' },
  changed: { tone: 'blue', word: 'Changed' },
  deleted: { tone: 'red', word: 'Deleted' },
  moved: { tone: 'violet', word: 'Moved' },
} as const

// more than anybody reads at once, and enough to keep a page busy
const largest = 300_000

/** What happened, or would happen, to one file. */
export function FileChange(props: FileChangeProps) {
  const { path, from, change, binary, diff, actions, notice, startsOpen = true, isBounded = false } = props
  const [isOpen, setOpen] = useState(startsOpen)
  const [isWanted, setWanted] = useState(false)
  const place = useRef<HTMLElement>(null)
  const body = useId()
  const rows = useMemo(() => parseDiff(diff), [diff])
  const { hasRoom, isBeside, choose } = useBesideChoice(place)
  const { tone, word } = kinds[change]
  const isTooLarge = diff.length > largest && !isWanted
  return (
    <section
      ref={place}
      aria-label={`${word}: ${path}`}
      className="w-full min-w-0 shrink-0 overflow-clip rounded-md border border-line bg-surface text-left"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 py-1 pr-1.5 pl-1">
        <h3 className="flex min-w-0 flex-1 basis-40">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={body}
            onClick={() => setOpen(!isOpen)}
            className="flex min-w-0 items-center gap-1.5 rounded-sm px-1 py-0.5 text-left hover:bg-hover"
          >
            <ChevronRight
              aria-hidden
              className={classNames('size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
            />
            <span className="min-w-0 font-mono text-small font-medium wrap-anywhere">
              <VisibleText text={from ? `${from} → ${path}` : path} />
            </span>
          </button>
        </h3>
        <Pill tone={tone}>{word}</Pill>
        <LineCounts rows={rows} />
        <span className="flex items-center gap-0.5">
          {hasRoom && isOpen && change === 'changed' && !binary && (
            <IconButton
              label={isBeside ? 'Show one below the other' : 'Show side by side'}
              size="small"
              aria-pressed={isBeside}
              icon={<Columns2 aria-hidden />}
              onClick={() => choose(!isBeside)}
            />
          )}
          {!binary && diff !== '' && <CopyButton {...toCopy(change, rows, diff)} />}
          {actions}
        </span>
      </div>
      <div id={body} hidden={!isOpen}>
        {isOpen && (
          <>
            {notice && (
              <div className="border-t border-line bg-amber-soft px-3 py-1.5 text-dense text-amber">{notice}</div>
            )}
            {binary || diff === '' ? (
              <p className="border-t border-line px-3 py-2 text-dense text-muted">
                {binary ? 'Not text: the file is replaced as a whole.' : 'Its content stays the same.'}
              </p>
            ) : isTooLarge ? (
              <p className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2 text-dense text-muted">
                This change is large: {formatBytes(diff.length)}.
                <Button size="small" onClick={() => setWanted(true)}>
                  Show it
                </Button>
              </p>
            ) : (
              <div
                tabIndex={isBounded ? 0 : undefined}
                role="region"
                aria-label={`Lines of ${path}`}
                className={classNames(
                  'border-t border-line focus-visible:-outline-offset-2',
                  isBounded && 'max-h-120 overflow-y-auto',
                )}
              >
                <DiffRows
                  rows={rows}
                  path={path}
                  isBeside={isBeside && change === 'changed'}
                  hideNumbers={props.hideNumbers}
                  whole={props.whole}
                />
              </div>
            )}
          </>
        )}
      </div>
    </section>
  )
}

function LineCounts({ rows }: { rows: readonly DiffRow[] }) {
  const { added, removed } = useMemo(() => countLines(rows), [rows])
  return <AddedRemoved added={added} removed={removed} />
}

/** All of a new file; of others what changed. */
function toCopy(change: FileDiffText['change'], rows: readonly DiffRow[], diff: string) {
  if (change !== 'added') return { label: 'Copy diff', text: diff }
  const text = rows.flatMap((row) => (row.kind === 'added' ? [row.text] : [])).join('\n')
  return { label: 'Copy file', text: `${text}\n` }
}
