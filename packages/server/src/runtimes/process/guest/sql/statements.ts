export interface Statement {
  text: string
  /** Where it begins in the program, in UTF-16 units. */
  offset: number
}

export interface SqlError {
  kind: 'syntax' | 'runtime' | 'denied' | 'memory'
  message: string
  line?: number
  column?: number
}

// what a semicolon can be inside of: comments, strings, names, and strings between $tags$
const token =
  /--[^\n]*|\/\*|[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\$([A-Za-z_]\w*)?\$|[A-Za-z_0-9]+|;|[\s\S]/g

/** The statements of a program, without those that are empty or only comments. */
export function splitStatements(code: string): Statement[] {
  const statements: Statement[] = []
  let begin = 0
  let hasWords = false
  const finish = (end: number) => {
    if (hasWords) statements.push({ text: code.slice(begin, end), offset: begin })
    begin = end + 1
    hasWords = false
  }
  token.lastIndex = 0
  for (let found = token.exec(code); found; found = token.exec(code)) {
    const [text] = found
    if (text === ';') finish(found.index)
    else if (text === '/*') token.lastIndex = endOfComment(code, found.index)
    else if (text.startsWith('--')) continue
    else {
      if (text.startsWith('$') && text.length > 1) token.lastIndex = endOfTagged(code, token.lastIndex, text)
      if (text.trim() !== '') hasWords = true
    }
  }
  finish(code.length)
  return statements
}

// comments nest
function endOfComment(code: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < code.length; at++) {
    if (code.startsWith('/*', at)) depth++
    else if (code.startsWith('*/', at)) depth--
    else continue
    at++
    if (depth === 0) return at + 1
  }
  return code.length
}

function endOfTagged(code: string, from: number, tag: string): number {
  const end = code.indexOf(tag, from)
  return end < 0 ? code.length : end + tag.length
}

interface Told {
  exception_type?: string
  exception_message?: string
  position?: string
}

/** What the database says of a mistake, in the lines and columns of the whole program. */
export function locateError(said: string, code: string, statement: Statement): SqlError {
  const told = readTold(said)
  const type = told.exception_type ?? ''
  // its advice is to change settings, which guests cannot
  const [text = ''] = (told.exception_message ?? said).split('\n\nPossible solutions:')
  const message = `${type === '' ? '' : `${type} Error: `}${text}`.slice(0, 4000)
  return { kind: kindOf(type), message, ...placeOf(told.position, code, statement) }
}

function readTold(said: string): Told {
  try {
    return JSON.parse(said.slice(said.indexOf('{'))) as Told
  } catch {
    return {}
  }
}

function kindOf(type: string): SqlError['kind'] {
  if (type === 'Parser' || type === 'Syntax') return 'syntax'
  if (type === 'Permission') return 'denied'
  return type === 'Out of Memory' ? 'memory' : 'runtime'
}

function placeOf(position: string | undefined, code: string, { text, offset }: Statement) {
  // without a place of its own, a mistake is where its statement begins
  const within =
    position === undefined
      ? (/^(?:\s|--[^\n]*\n)*/.exec(text)?.[0].length ?? 0)
      : Buffer.from(text).subarray(0, Number(position)).toString('utf8').length
  const before = code.slice(0, offset + within)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 }
}
