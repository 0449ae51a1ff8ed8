import { createRequire, stripTypeScriptTypes } from 'node:module'

/** Called with the value of a script's last expression. */
export const lastValue = Symbol.for('coherex.last-value')

export class EntryError extends Error {
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(message: string, line?: number, column?: number) {
    super(message)
    this.line = line
    this.column = column
  }
}

export interface EntrySource {
  code: string
  /** Where code was put in on which line: columns after it are the author's plus `width`. */
  shift: { line: number; column: number; width: number } | undefined
}

/** A node of the syntax tree, with what is asked of any kind of it. */
export interface Statement {
  type: string
  start: number
  end: number
  loc: { start: { line: number; column: number } }
  expression?: { start: number; end: number }
  kind?: string
  name?: string
  value?: Statement
  id?: Statement | null
  init?: Statement | null
  left?: Statement
  argument?: Statement
  await?: boolean
  declaration?: Statement | null
  declarations?: Statement[]
  properties?: Statement[]
  elements?: (Statement | null)[]
  source?: { value: unknown } | null
  specifiers?: { type: string; local?: Statement; imported?: Statement }[]
  attributes?: { key?: Statement; value?: unknown }[]
}

interface Acorn {
  parse(code: string, options: object): { body: Statement[] }
}

const opening = `globalThis[Symbol.for("coherex.last-value")](`

/** The entry without types, and with its last expression handed out, unless it has a default export to call. */
export function readEntry(code: string, isTypeScript: boolean): EntrySource {
  const plain = isTypeScript ? stripTypes(code) : code
  const { body } = parse(plain)
  const last = body.at(-1)
  const hasDefault = body.some(({ type }) => type === 'ExportDefaultDeclaration')
  if (hasDefault || last?.type !== 'ExpressionStatement' || !last.expression) return { code: plain, shift: undefined }
  const { start, end } = last.expression
  return {
    code: `${plain.slice(0, start)}${opening}${plain.slice(start, end)})${plain.slice(end)}`,
    shift: { line: last.loc.start.line, column: last.loc.start.column + 1, width: opening.length },
  }
}

// blanks take the place of types: every position stays what it was
export function stripTypes(code: string): string {
  try {
    return stripTypeScriptTypes(code)
  } catch (error) {
    throw new EntryError(error instanceof Error ? error.message : String(error))
  }
}

export function parse(code: string): { body: Statement[] } {
  // Node's own parser, the one of its REPL; reachable because the guest is started with --expose-internals
  const acorn = createRequire(import.meta.url)('internal/deps/acorn/acorn/dist/acorn') as Acorn
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true }
  try {
    return acorn.parse(code, { ...options, allowReturnOutsideFunction: false })
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } }
    const text = message.replace(/ \(\d+:\d+\)$/, '')
    throw new EntryError(text, loc?.line, loc && loc.column + 1)
  }
}
