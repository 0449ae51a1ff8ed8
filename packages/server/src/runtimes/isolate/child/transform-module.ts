import { SourceMap } from 'node:module'
import { parseSync } from 'oxc-parser'
import { moduleRunnerTransformSync, transformSync } from 'oxc-transform'
import { type Position, positionOf } from './source-positions.ts'

/** The program cannot be run at all; its author's mistake. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly kind: 'syntax' | 'runtime' | 'denied'
  readonly at: Position | undefined

  constructor(kind: 'syntax' | 'runtime' | 'denied', message: string, at?: Position) {
    super(message)
    this.kind = kind
    this.at = at
  }
}

export interface TransformedModule {
  /** A function expression, ready to be evaluated. */
  code: string
  imports: string[]
  dynamicImports: string[]
  hasDynamicImports: boolean
  /** From a line and column of the code (from 1) to the author's. */
  original(line: number, column: number): { line: number; column: number } | undefined
}

interface Source {
  id: string
  text: string
  isTypeScript: boolean
  isEntry: boolean
}

// the names that oxc's module transform gives to what a module body is called with
const parameters = [
  '__vite_ssr_exports__',
  '__vite_ssr_import_meta__',
  '__vite_ssr_import__',
  '__vite_ssr_dynamic_import__',
  '__vite_ssr_exportAll__',
]
const opening = `(async function (${parameters.join(', ')}) { "use strict";\n`

/** A module as the body of an async function: imports and exports become calls, so that one hop runs the whole program. */
export function transformModule(source: Source): TransformedModule {
  const { id, isEntry } = source
  // a "#!" line is no comment inside a function; the slashes keep every position where it was
  const text = source.text.replace(/^#!/, '//')
  const stripped = source.isTypeScript ? stripTypes({ ...source, text }) : undefined
  // by its ending: what has neither import nor export is a module all the same
  const body = moduleRunnerTransformSync(`${id}.mjs`, stripped?.code ?? text, { sourcemap: true })
  failOn(body.errors, source, stripped ? 'transformed' : 'source')
  const lastExpression = isEntry ? findLastExpression(body.code) : undefined
  const code =
    lastExpression === undefined
      ? body.code
      : `${body.code.slice(0, lastExpression)}return ${body.code.slice(lastExpression)}`
  const inserted = lastExpression === undefined ? undefined : positionOf(body.code, lastExpression)

  let maps: SourceMap[] | undefined
  return {
    code: `${opening}${code}\n})`,
    imports: body.deps,
    dynamicImports: body.dynamicDeps,
    hasDynamicImports: body.code.includes('__vite_ssr_dynamic_import__'),
    original(line, column) {
      maps ??= [body.map, stripped?.map].flatMap((map) => (map ? [new SourceMap(toPayload(map))] : []))
      const shift = inserted && inserted.line === line && column > inserted.column ? 'return '.length : 0
      let at = { line, column: column - shift }
      for (const map of maps) {
        const entry = map.findEntry(at.line - 1, at.column - 1)
        if (!('originalLine' in entry)) return undefined
        at = { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      }
      return at
    },
  }
}

interface Stripped {
  code: string
  map?: RawMap
}

interface RawMap {
  version: number
  sources: string[]
  names: string[]
  mappings: string
}

function stripTypes(source: Source): Stripped {
  const options = { lang: 'ts', sourceType: 'module', sourcemap: true, target: 'esnext' } as const
  const { code, map, errors } = transformSync(source.id, source.text, options)
  failOn(errors, source, 'source')
  return map ? { code, map } : { code }
}

function failOn(
  errors: { severity: string; message: string; labels: { start: number }[] }[],
  source: Source,
  of: 'source' | 'transformed',
): void {
  const error = errors.find(({ severity }) => severity === 'Error')
  if (!error) return
  const start = error.labels[0]?.start
  const at =
    start === undefined || of === 'transformed' ? undefined : { id: source.id, ...positionOf(source.text, start) }
  throw new ProgramError('syntax', error.message, at)
}

/** Where the last statement begins, if it is an expression whose value is the result of a script. */
function findLastExpression(code: string): number | undefined {
  // a default export is the program; the script's last value is not asked for
  if (code.includes('__vite_ssr_exports__, "default"')) return undefined
  const last = parseSync('body.js', code, { sourceType: 'module', preserveParens: false }).program.body.at(-1)
  return last?.type === 'ExpressionStatement' ? last.start : undefined
}

function toPayload({ version, sources, names, mappings }: RawMap) {
  return { file: '', sourceRoot: '', sourcesContent: [], version, sources, names, mappings }
}
