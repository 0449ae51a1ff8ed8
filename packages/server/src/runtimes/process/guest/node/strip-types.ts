import { createRequire, SourceMap, type SourceMapPayload } from 'node:module'

/** A text that cannot be run at all; its author's mistake. */
export class EntryError extends SyntaxError {
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(message: string, line?: number, column?: number) {
    super(message)
    this.line = line
    this.column = column
  }
}

export interface Stripped {
  code: string
  /** Where the author wrote what is somewhere else now; absent where every position stayed what it was. */
  map?: SourceMapPayload
}

interface Amaro {
  transformSync(
    code: string,
    options: { mode: 'strip-only' | 'transform'; sourceMap?: boolean; filename: string },
  ): { code: string; map?: string }
}

interface AmaroError {
  code: string
  message: string
  startLine?: number
  startColumn?: number
}

/** Blanks take the place of types. What is more than types (enums, namespaces, parameter properties) is written anew, with a map. */
export function stripTypes(code: string, filename: string): Stripped {
  // Node's own, which it offers for types alone; reachable because the guest is started with --expose-internals
  const amaro = createRequire(import.meta.url)('internal/deps/amaro/dist/index') as Amaro
  try {
    return { code: amaro.transformSync(code, { mode: 'strip-only', filename }).code }
  } catch (error) {
    if ((error as AmaroError).code !== 'UnsupportedSyntax') throw toEntryError(error)
  }
  try {
    const { code: plain, map = '{}' } = amaro.transformSync(code, { mode: 'transform', sourceMap: true, filename })
    return putDeclarationsFirst(plain, { ...(JSON.parse(map) as SourceMapPayload), sources: [filename] })
  } catch (error) {
    throw toEntryError(error)
  }
}

/** The variables of namespaces are declared on a line after all that the author wrote; the last statement is to be the author's. */
function putDeclarationsFirst(code: string, map: SourceMapPayload): Required<Stripped> {
  const own = map.mappings.split(';').length
  const lines = code.split('\n')
  const added = lines[own]
  if (!added?.startsWith('var ')) return { code, map }
  return { code: [added, ...lines.toSpliced(own, 1)].join('\n'), map: { ...map, mappings: `;${map.mappings}` } }
}

// what amaro throws is a plain object, with columns from 0
function toEntryError(error: unknown): EntryError {
  const { message, startLine, startColumn } = error as AmaroError
  return new EntryError(message ?? String(error), startLine, startColumn === undefined ? undefined : startColumn + 1)
}

/** The code with its map inside, for Node to find. */
export function withMap({ code, map }: Stripped): string {
  if (!map) return code
  process.setSourceMapsEnabled(true)
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64')
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}`
}

/** From a line and column of the code to the author's, all from 1. */
export function createOriginal(map: SourceMapPayload): (line: number, column: number) => Place {
  const found = new SourceMap(map)
  return (line, column) => {
    const entry = found.findEntry(line - 1, column - 1)
    return 'originalLine' in entry
      ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      : { line, column }
  }
}

export interface Place {
  line: number
  column: number
}
