import { createRequire } from 'node:module'
import { EntryError, type Stripped, stripTypes, withMap } from './strip-types.ts'

/** Called with the value of a script's last expression. */
export const lastValue = Symbol.for('coherex.last-value')

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
export function readEntry(
  code: string,
  url: string,
  { isTypeScript, isCommonJs }: { isTypeScript: boolean; isCommonJs: boolean },
): EntrySource {
  const stripped: Stripped = isTypeScript ? stripTypes(code, url) : { code }
  const plain = stripped.code
  const { body } = parse(plain, isCommonJs ? 'commonjs' : 'module')
  const last = body.at(-1)
  const hasDefault = body.some(({ type }) => type === 'ExportDefaultDeclaration')
  if (hasDefault || last?.type !== 'ExpressionStatement' || !last.expression) {
    return { code: withMap(stripped), shift: undefined }
  }
  if (stripped.map) return { code: withMap(handOutLine({ ...stripped, map: stripped.map }, last)), shift: undefined }
  const { start, end } = last.expression
  return {
    code: `${plain.slice(0, start)}${opening}${plain.slice(start, end)})${plain.slice(end)}`,
    shift: { line: last.loc.start.line, column: last.loc.start.column + 1, width: opening.length },
  }
}

/** What was written anew has each statement on lines of its own: one more line before the last moves all that follows alike. */
function handOutLine({ code, map }: Required<Stripped>, { start, end, loc }: Statement): Stripped {
  const lines = map.mappings.split(';')
  lines.splice(loc.start.line - 1, 0, '')
  const expression = code.slice(start, end).replace(/;$/, '')
  return {
    code: `${code.slice(0, start)}${opening}\n${expression})${code.slice(end)}`,
    map: { ...map, mappings: lines.join(';') },
  }
}

export function parse(code: string, sourceType: 'module' | 'commonjs' = 'module'): { body: Statement[] } {
  // Node's own parser, the one of its REPL; reachable because the guest is started with --expose-internals
  const acorn = createRequire(import.meta.url)('internal/deps/acorn/acorn/dist/acorn') as Acorn
  const options = { ecmaVersion: 'latest', sourceType, locations: true, allowHashBang: true }
  try {
    return acorn.parse(code, options)
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } }
    const text = message.replace(/ \(\d+:\d+\)$/, '')
    throw new EntryError(text, loc?.line, loc && loc.column + 1)
  }
}
