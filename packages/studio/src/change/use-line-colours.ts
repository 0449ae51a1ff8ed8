import { useMemo } from 'react'
import type { CodeToken } from '../markdown/highlight-code.ts'
import { useHighlighted } from '../markdown/use-highlighted.ts'
import type { DiffLine, DiffRow } from './parse-diff.ts'

/** The colours of the lines of a diff, each read as part of its own side. */
export function useLineColours(rows: readonly DiffRow[], language: string): Map<DiffLine, CodeToken[]> {
  const sides = useMemo(() => {
    const lines = rows.filter((row): row is DiffLine => row.kind !== 'gap')
    return {
      old: lines.filter(({ kind }) => kind !== 'added'),
      now: lines.filter(({ kind }) => kind !== 'removed'),
    }
  }, [rows])
  const old = useHighlighted(
    useMemo(() => join(sides.old), [sides]),
    language,
  )
  const now = useHighlighted(
    useMemo(() => join(sides.now), [sides]),
    language,
  )
  return useMemo(() => {
    const colours = new Map<DiffLine, CodeToken[]>()
    for (const [index, tokens] of old?.entries() ?? []) put(colours, sides.old[index], tokens)
    for (const [index, tokens] of now?.entries() ?? []) put(colours, sides.now[index], tokens)
    return colours
  }, [sides, old, now])
}

const join = (lines: readonly DiffLine[]) => lines.map(({ text }) => text).join('\n')

function put(colours: Map<DiffLine, CodeToken[]>, line: DiffLine | undefined, tokens: CodeToken[]): void {
  // line ends of another kind would shift what follows
  if (line && tokens.map(({ content }) => content).join('') === line.text) colours.set(line, tokens)
}
