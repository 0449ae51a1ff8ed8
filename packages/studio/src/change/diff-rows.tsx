import { useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DiffTable } from './diff-table.tsx'
import { languageOfPath } from './language-of-path.ts'
import type { DiffGap, DiffRow } from './parse-diff.ts'
import { useLineColours } from './use-line-colours.ts'

interface DiffRowsProps {
  rows: readonly DiffRow[]
  path: string
  isBeside: boolean
  hideNumbers?: boolean | undefined
  whole?: WholeFile | undefined
}

/** The text before or after a change; between what changed both are the same. */
export interface WholeFile {
  side: 'before' | 'after'
  read: () => Promise<string>
}

// more is drawn when asked for: a rewrite of a long file would hold the page up
const mostAtFirst = 600
const mostAtOnce = 3_000

/** The rows of a change: gaps open when asked for, and a long one is drawn piece by piece. */
export function DiffRows({ rows, path, isBeside, hideNumbers, whole }: DiffRowsProps) {
  const [text, setText] = useState<string[]>()
  const [opened, setOpened] = useState<readonly DiffGap[]>([])
  const [problem, setProblem] = useState<string>()
  const [most, setMost] = useState(mostAtFirst)
  const side = whole?.side ?? 'after'
  const filled = useMemo(() => fillGaps(rows, { opened, text, side }), [rows, opened, text, side])
  const shown = useMemo(() => filled.slice(0, most), [filled, most])
  const colours = useLineColours(shown, languageOfPath(path))
  const left = filled.length - shown.length

  async function open(gap: DiffGap): Promise<void> {
    try {
      setText(text ?? (await whole?.read())?.split('\n'))
      setOpened((before) => [...before, gap])
      setProblem(undefined)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }

  return (
    <>
      <DiffTable
        rows={shown}
        colours={colours}
        beside={isBeside}
        hideNumbers={hideNumbers}
        gap={(gap) => <Gap gap={gap} onOpen={whole && (() => void open(gap))} />}
      />
      {problem && <p className="border-t border-line px-3 py-1.5 text-small text-red">{problem}</p>}
      {left > 0 && (
        <div className="flex justify-center border-t border-line p-2">
          <Button size="small" onClick={() => setMost(most + mostAtOnce)}>
            {left > mostAtOnce ? `Show ${mostAtOnce} more of ${left} lines` : `Show ${left} more lines`}
          </Button>
        </div>
      )}
    </>
  )
}

function Gap({ gap: { count }, onOpen }: { gap: DiffGap; onOpen: (() => void) | undefined }) {
  const lines = count === undefined ? 'the rest' : count === 1 ? '1 line' : `${count} lines`
  if (!onOpen) return <span className="px-1 font-sans">{count === undefined ? '…' : `${lines} unchanged`}</span>
  return (
    <button
      type="button"
      onClick={onOpen}
      className="rounded-sm px-1 font-sans text-accent-text hover:bg-hover hover:underline"
    >
      Show {lines}
    </button>
  )
}

function fillGaps(
  rows: readonly DiffRow[],
  { opened, text, side }: { opened: readonly DiffGap[]; text: readonly string[] | undefined; side: WholeFile['side'] },
): DiffRow[] {
  if (!text) return [...rows]
  return rows.flatMap((row): DiffRow[] => {
    if (row.kind !== 'gap' || !opened.includes(row)) return [row]
    const start = row[side] - 1
    // what follows the last line end is no line
    const end = row.count === undefined ? text.length - (text.at(-1) === '' ? 1 : 0) : start + row.count
    return text.slice(start, end).map((line, index) => ({
      kind: 'context',
      text: line,
      before: row.before + index,
      after: row.after + index,
    }))
  })
}
