import type { RunError } from '@coherex/contract'

/** A place in the code of a run. */
export interface CodePlace {
  path: string
  line: number
  column?: number
}

export type StackPiece = { text: string; place?: CodePlace }

// main.ts:2:21, File "main.py", line 7, main.sh: line 3:, Cell 2:3:1
const reference =
  /File "([^"\n]+)", line (\d+)|([\w@./-]+\.\w+):(\d+)(?::(\d+))?|([\w@./-]+\.sh): line (\d+)|(Cell \d+):(\d+)(?::(\d+))?/g

/** A stack trace with the places that are in the program's own files, so that they can lead there. `paths` begin with the entry. */
export function findPlaces(stack: string, paths: readonly string[]): StackPiece[] {
  const pieces: StackPiece[] = []
  let from = 0
  for (const match of stack.matchAll(reference)) {
    const path = ownPath(match[1] ?? match[3] ?? match[6] ?? match[8] ?? '', paths)
    if (!path) continue
    if (match.index > from) pieces.push({ text: stack.slice(from, match.index) })
    const column = match[5] ?? match[10]
    const line = Number(match[2] ?? match[4] ?? match[7] ?? match[9])
    pieces.push({ text: match[0], place: { path, line, ...(column ? { column: Number(column) } : {}) } })
    from = match.index + match[0].length
  }
  if (from < stack.length) pieces.push({ text: stack.slice(from) })
  return pieces
}

/** Where a run failed: the error has the line, its stack tells whose line that is. `paths` begin with the entry. */
export function placeOfError(
  { line, column, stack = '' }: Pick<RunError, 'line' | 'column' | 'stack'>,
  paths: readonly string[],
): CodePlace | undefined {
  const [entry] = paths
  if (line === undefined || entry === undefined) return undefined
  const isIt = (place: CodePlace) => place.line === line && (!place.column || !column || place.column === column)
  const told = findPlaces(stack, paths).find(({ place }) => place && isIt(place))
  return { path: told?.place?.path ?? entry, line, ...(column ? { column } : {}) }
}

function ownPath(named: string, paths: readonly string[]): string | undefined {
  // cells of a file have its lines, and sessions call them by their number
  if (/^Cell \d+$/.test(named)) return paths[0]
  const bare = named.replace(/^\.?\//, '')
  return paths.find((path) => path === bare)
}
