import { useMemo, type ReactNode } from 'react'
import type { CodeToken } from '../markdown/highlight-code.ts'
import { classNames } from '../ui/class-names.ts'
import { markChangedWords, type Mark } from './changed-words.ts'
import { LineText } from './line-text.tsx'
import { pairLines } from './pair-lines.ts'
import type { DiffGap, DiffLine, DiffRow } from './parse-diff.ts'

export interface DiffTableProps {
  rows: readonly DiffRow[]
  colours: Map<DiffLine, CodeToken[]>
  /** Both versions beside each other instead of one below the other. */
  beside: boolean
  /** Where the numbers of lines are unknown. */
  hideNumbers?: boolean | undefined
  /** What stands for lines that were left out. */
  gap: (gap: DiffGap) => ReactNode
}

/** The lines of a change. Words and signs say what the colours say. */
export function DiffTable({ beside, ...props }: DiffTableProps) {
  const marks = useMemo(() => markChangedWords(props.rows), [props.rows])
  return (
    <table
      className={classNames(
        'w-full border-separate border-spacing-0 font-mono text-small leading-5 [font-variant-ligatures:none]',
        beside && 'table-fixed',
      )}
    >
      {beside ? <BesideRows {...props} marks={marks} /> : <UnifiedRows {...props} marks={marks} />}
    </table>
  )
}

interface RowsProps extends Omit<DiffTableProps, 'beside'> {
  marks: Map<DiffLine, Mark>
}

function UnifiedRows({ rows, colours, marks, hideNumbers, gap }: RowsProps) {
  return (
    <tbody>
      {rows.map((row, index) =>
        row.kind === 'gap' ? (
          <GapRow key={index} span={hideNumbers ? 2 : 4}>
            {gap(row)}
          </GapRow>
        ) : (
          <tr key={index} className={lineClass[row.kind]}>
            {!hideNumbers && (
              <>
                <td className={classNames(numberClass, 'max-md:hidden')}>{row.before}</td>
                <td className={numberClass}>{row.after}</td>
              </>
            )}
            <Sign kind={row.kind} />
            <Text line={row} tokens={colours.get(row)} mark={marks.get(row)} />
          </tr>
        ),
      )}
    </tbody>
  )
}

function BesideRows({ rows, colours, marks, hideNumbers, gap }: RowsProps) {
  const cells = (line: DiffLine | undefined, side: 'before' | 'after') => {
    const look = line && lineClass[line.kind]
    return (
      <>
        {!hideNumbers && <td className={classNames(numberClass, line ? look : 'bg-sunken')}>{line?.[side]}</td>}
        {line ? <Sign kind={line.kind} look={look} /> : <td className="bg-sunken" />}
        {line ? (
          <Text line={line} look={look} tokens={colours.get(line)} mark={marks.get(line)} />
        ) : (
          <td className="bg-sunken" />
        )}
      </>
    )
  }
  return (
    <>
      <colgroup>
        {[0, 1].map((side) => (
          <Columns key={side} hideNumbers={hideNumbers} />
        ))}
      </colgroup>
      <tbody>
        {pairLines(rows).map((row, index) =>
          'kind' in row ? (
            <GapRow key={index} span={hideNumbers ? 4 : 6}>
              {gap(row)}
            </GapRow>
          ) : (
            <tr key={index}>
              {cells(row.before, 'before')}
              {cells(row.after, 'after')}
            </tr>
          ),
        )}
      </tbody>
    </>
  )
}

function Columns({ hideNumbers }: { hideNumbers: boolean | undefined }) {
  return (
    <>
      {!hideNumbers && <col className="w-12" />}
      <col className="w-5" />
      <col />
    </>
  )
}

function GapRow({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={span} className="border-y border-line bg-sunken px-2 py-0.5 text-muted">
        {children}
      </td>
    </tr>
  )
}

const numberClass = 'w-px px-2 text-right align-top text-muted tabular select-none'
const lineClass = { context: '', added: 'bg-green-soft', removed: 'bg-red-soft' }
// a line below and not a deeper ground: letters keep their contrast
const markClass = {
  context: '',
  added: 'shadow-[inset_0_-2px_0_var(--green)]',
  removed: 'shadow-[inset_0_-2px_0_var(--red)]',
}
const signs = { context: '', added: '+', removed: '−' }
const words = { context: '', added: 'added: ', removed: 'removed: ' }

function Sign({ kind, look }: { kind: DiffLine['kind']; look?: string | undefined }) {
  return (
    <td className={classNames('w-px pl-1 align-top select-none', look)}>
      {kind !== 'context' && (
        <>
          <span aria-hidden className={kind === 'added' ? 'text-green' : 'text-red'}>
            {signs[kind]}
          </span>
          <span className="sr-only">{words[kind]}</span>
        </>
      )}
    </td>
  )
}

interface TextProps {
  line: DiffLine
  tokens: readonly CodeToken[] | undefined
  mark: Mark | undefined
  look?: string | undefined
}

function Text({ line: { kind, text }, tokens, mark, look }: TextProps) {
  return (
    <td className={classNames('pr-3 pl-1 align-top wrap-anywhere whitespace-pre-wrap', look)}>
      <LineText text={text} tokens={tokens} mark={mark} markClass={markClass[kind]} />
    </td>
  )
}
