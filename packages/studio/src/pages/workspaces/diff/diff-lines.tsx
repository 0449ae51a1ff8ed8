import { useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { parseDiff, type DiffLine } from './parse-diff.ts'

const signs = { context: ' ', added: '+', removed: '-', gap: ' ' }
const looks = {
  context: '',
  added: 'bg-green-soft',
  removed: 'bg-red-soft',
  gap: 'bg-sunken text-muted',
}
// more is drawn when asked for: a rewrite of a long file would hold the page up
const mostAtFirst = 1500

/** A unified diff, line by line; a sign says what the colour says. */
export function DiffLines({ diff, label }: { diff: string; label: string }) {
  const lines = useMemo(() => parseDiff(diff), [diff])
  const [all, setAll] = useState(false)
  const shown = all ? lines : lines.slice(0, mostAtFirst)
  return (
    <>
      <div tabIndex={0} role="region" aria-label={label} className="overflow-x-auto focus-visible:-outline-offset-2">
        <table className="w-full border-separate border-spacing-0 font-mono text-small leading-5 [font-variant-ligatures:none]">
          <tbody>
            {shown.map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < lines.length && (
        <div className="flex justify-center border-t border-line p-2">
          <Button size="small" onClick={() => setAll(true)}>
            Show {lines.length - shown.length} more lines
          </Button>
        </div>
      )}
    </>
  )
}

const numberClass = 'w-px pr-2 pl-2 text-right align-top text-muted tabular select-none'

function Line({ line: { kind, text, before, after } }: { line: DiffLine }) {
  return (
    <tr className={looks[kind]}>
      <td className={numberClass}>{before}</td>
      <td className={numberClass}>{after}</td>
      <td className="w-px pl-1 align-top select-none">
        <span className={classNames(kind === 'added' && 'text-green', kind === 'removed' && 'text-red')}>
          {signs[kind]}
        </span>
      </td>
      <td className="pr-4 pl-1 whitespace-pre">{text}</td>
    </tr>
  )
}
