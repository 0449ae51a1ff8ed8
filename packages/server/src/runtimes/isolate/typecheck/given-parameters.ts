// of a list with parentheses in it, what comes before the first of them
const parameters = /\bexport\s+default\s+(?:async\s+)?(?:function\b\s*[\w$]*\s*\(|\()([^()]*)/g
const onlyOne = /\bexport\s+default\s+(?:async\s+)?([\w$]+)\s*=>/g

/** Whether a place is among the parameters of the default export. The host hands them over, so they may go without types. */
export function isGivenParameter(code: string, place: { line: number; column: number }): boolean {
  const before = code.split('\n').slice(0, place.line - 1)
  const offset = before.reduce((sum, line) => sum + line.length + 1, 0) + place.column - 1
  return [...code.matchAll(parameters), ...code.matchAll(onlyOne)].some((match) => {
    const [whole, list = ''] = match
    const start = match.index + whole.lastIndexOf(list)
    return offset >= start && offset < start + list.length
  })
}
