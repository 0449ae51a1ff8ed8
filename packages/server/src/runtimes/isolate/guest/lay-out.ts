/** What a layout depends on of the walk through a value. */
interface Room {
  breakLength: number
  maxItems: number
  enteredLevel: number
}

/** On one line where it is short and not too deep, else a line for each part; the elements of a longer list in columns. */
export function layOut(
  parts: string[],
  { base, open, close, list, level }: Layout,
  walk: Room,
  indent: number,
): string {
  if (parts.length === 0) return `${base}${open}${close}`
  const lines = list && parts.length > 6 ? toColumns(parts, list, walk, indent) : parts
  if (lines === parts && walk.enteredLevel - level < 3 && !base.includes('\n')) {
    const joined = parts.join(', ')
    const isShort = joined.length + indent + open.length + base.trimEnd().length + 12 <= walk.breakLength
    if (isShort && !joined.includes('\n')) return `${base}${open} ${joined} ${close}`
  }
  const pad = ' '.repeat(indent + 2)
  return `${base}${open}\n${pad}${lines.join(`,\n${pad}`)}\n${' '.repeat(indent)}${close}`
}

interface Layout {
  /** What stands before the braces and is a value by itself: a function, an error with its stack. */
  base: string
  open: string
  close: string
  /** The list whose elements the parts are. */
  list: ArrayLike<unknown> | undefined
  level: number
}

/** Columns as Node makes them: about as wide as high, numbers to the right. */
function toColumns(parts: string[], list: ArrayLike<unknown>, walk: Room, indent: number): string[] {
  const hasRest = parts.length > walk.maxItems
  const shown = hasRest ? parts.slice(0, -1) : parts
  const widths = shown.map(widthOf)
  const total = widths.reduce((sum, width) => sum + width + 2, 0)
  const longest = widths.reduce((most, width) => Math.max(most, width), 0)
  const widest = longest + 2
  if (widest * 3 + indent >= walk.breakLength || (total / widest <= 5 && longest > 6)) return parts
  const usual = Math.max(widest - 3 - Math.sqrt(widest - total / parts.length), 1)
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * usual * shown.length) / usual),
    Math.floor((walk.breakLength - indent) / widest),
    12,
  )
  if (columns <= 1) return parts

  const columnWidths = Array.from({ length: columns }, (_, column) =>
    widths.reduce((most, width, at) => (at % columns === column ? Math.max(most, width) : most), 0),
  )
  const areNumbers = parts.every((_, at) => typeof list[at] === 'number' || typeof list[at] === 'bigint')
  const lines: string[] = []
  for (let from = 0; from < shown.length; from += columns) {
    const row = shown.slice(from, from + columns).map((part, column) => {
      const blanks = ' '.repeat(columnWidths[column]! - widths[from + column]!)
      const isLast = column === columns - 1 || from + column === shown.length - 1
      if (areNumbers) return `${blanks}${part}`
      return isLast ? part : { part, blanks }
    })
    lines.push(
      row
        .map((cell, at) => {
          const comma = at < row.length - 1 ? ', ' : ''
          return typeof cell === 'string' ? `${cell}${comma}` : `${cell.part}${comma}${cell.blanks}`
        })
        .join(''),
    )
  }
  return hasRest ? [...lines, parts.at(-1)!] : lines
}

/** Columns of a terminal that a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += wide.test(character) ? 2 : none.test(character) ? 0 : 1
  return width
}

// marks on the character before, joiners and their like
const none = /[\p{Mn}\p{Me}\u200b-\u200f]/u

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
