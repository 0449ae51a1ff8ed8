// a text of a stranger, on the server's own thread: no blank is counted twice, and a longer text has no such parameters.
// Of a list with parentheses in it, what comes before the first of them
const parameters = /\bexport\s+default\s+(?:async\s+)?(?:function\b\s*(?:[\w$]+\s*)?\(|\()([^()]*)/g
const onlyOne = /\bexport\s+default\s+(?:async\s+)?([\w$]+)\s*=>/g
const longestCode = 1024 * 1024
// a module has one default export; what looks like others stands in comments and strings
const mostExports = 20

interface Place {
  line: number
  column: number
}

/** Tells whether a place is among the parameters of the default export. The host hands them over, so they may go without types. */
export function findGivenParameters(code: string): (place: Place) => boolean {
  if (code.length > longestCode) return () => false
  const lists = [parameters, onlyOne].flatMap((pattern) =>
    Array.from(code.matchAll(pattern))
      .slice(0, mostExports)
      .map(({ index, 0: whole, 1: list = '' }) => {
        const start = index + whole.lastIndexOf(list)
        return { start, end: start + list.length }
      }),
  )
  if (lists.length === 0) return () => false
  const lines = startsOfLines(code)
  return ({ line, column }) => {
    const offset = (lines[line - 1] ?? code.length) + column - 1
    return lists.some(({ start, end }) => offset >= start && offset < end)
  }
}

function startsOfLines(code: string): number[] {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
