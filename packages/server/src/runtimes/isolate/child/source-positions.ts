/** A place in the author's text: line and column from 1. */
export interface Position {
  id: string
  line: number
  column: number
}

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

type Original = (id: string, line: number, column: number) => { line: number; column: number } | undefined

// a printed error's last frame is followed by the brace of what else the error has
const frame = /^(\s*at (?:async )?(?:.*\()?)((?:[^():]|:(?!\d))+):(\d+):(\d+)(\)?(?: \{)?)$/

export const guestLibrary = 'coherex:guest'

/** A V8 stack in the author's own lines, without the frames of what runs below; and where it was thrown. */
export function mapStack(stack: string, original: Original): { stack: string; at?: Position } {
  const lines: string[] = []
  let at: Position | undefined
  for (const line of stack.split('\n')) {
    const mapped = mapLine(line, original)
    if (mapped) at ??= mapped.at
    if (mapped) lines.push(mapped.line)
    else if (!/^\s*at /.test(line)) lines.push(line)
  }
  return { stack: lines.join('\n'), ...(at && { at }) }
}

/** The same for printed text, where a line that begins with "at" may be prose. */
export function mapText(text: string, original: Original): string {
  // not \s, which would look for the rest of a line in all lines after it, and again from each of them
  if (!/^[ \t]*at /m.test(text)) return text
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const mapped = mapLine(line, original)
    const isOurs = !mapped && (line.includes(guestLibrary) || line.includes('<isolated-vm'))
    if (!isOurs) lines.push(mapped?.line ?? line)
    else if (line.endsWith(' {') && lines.length > 0) lines.push(`${lines.pop()} {`)
  }
  return lines.join('\n')
}

function mapLine(line: string, original: Original): { line: string; at?: Position } | undefined {
  const [, before = '', id = '', row = '', column = '', after = ''] = frame.exec(line) ?? []
  if (id === '') return undefined
  if (id.startsWith('package:')) return { line: `${before}${id}${after}` }
  // a frame that is neither the program's nor a package's belongs to the machinery
  const position = original(id, Number(row), Number(column))
  // the module transform names a default export without a name; its author would say "default"
  const named = before.replace('__vite_ssr_export_default__', 'default')
  return position && { line: `${named}${id}:${position.line}:${position.column}${after}`, at: { id, ...position } }
}
