import type { DefinitionProblem } from '@coherex/contract'
import { isMap, isPair, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'

export const mostProblems = 50
// PostgreSQL stores neither NUL nor half a character
export const unstorable = /[\0\p{Surrogate}]/u
export const unstorableMessage = 'has characters that cannot be stored'

export interface ReadDocument {
  value: object
  /** What stands at a path; undefined where nothing does. */
  valueAt(path: readonly PropertyKey[]): unknown
  /** Where a path stands; for a field that is absent, the nearest thing around it. */
  locate(path: readonly PropertyKey[]): { line: number; column: number }
}

interface ReadOptions {
  /** A text that aliases itself into something huge is refused by the parser. */
  mostAliases: number
  /** Where the text begins in its file. */
  firstLine?: number
  /** Said of a text that has no fields. */
  fields: { message: string; hint?: string }
}

/** The fields of a YAML text with their places, or what keeps it from being read. */
export function readDocument(
  source: string,
  { mostAliases, firstLine = 1, fields }: ReadOptions,
): { document: ReadDocument; problems: [] } | { document?: undefined; problems: DefinitionProblem[] } {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: line + firstLine - 1, column: col }
  }
  const start = { path: '', line: firstLine, column: 1 }
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, mostProblems).map((error) => ({
      message:
        error.code === 'MULTIPLE_DOCS'
          ? 'there is a second document: a text is one definition'
          : (error.message.split('\n', 1)[0] ?? 'cannot be read'),
      path: '',
      ...place(error.pos[0]),
      ...(hints[error.code] && { hint: hints[error.code] }),
    }))
    return { problems }
  }
  const odd = findUnstorable(document)
  if (odd !== undefined) return { problems: [{ message: unstorableMessage, path: '', ...place(odd) }] }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: mostAliases })
  } catch {
    return { problems: [{ message: 'uses too many aliases', ...start }] }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { problems: [{ ...fields, ...start }] }
  }
  const read: ReadDocument = {
    value,
    valueAt: (path) => document.getIn(path),
    locate: (path) => place(findOffset(document, path)),
  }
  return { document: read, problems: [] }
}

const hints: Record<string, string> = {
  TAB_AS_INDENT: 'Indent with spaces',
  BLOCK_AS_IMPLICIT_KEY: 'Text with a colon in it stands in quotes',
}

/** Where an escape makes a character that the text itself does not have. */
function findUnstorable(document: Document): number | undefined {
  let found: number | undefined
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string' || !unstorable.test(node.value)) return undefined
      found = offsetOf(node) ?? 0
      return visit.BREAK
    },
  })
  return found
}

function findOffset({ contents }: Document, path: readonly PropertyKey[]): number {
  let node: unknown = contents
  let offset = offsetOf(node) ?? 0
  for (const part of path) {
    if (isMap(node)) {
      const pair: unknown = node.items.find(({ key }) => String(key) === String(part))
      if (!isPair(pair)) break
      offset = offsetOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(part)]
      offset = offsetOf(node) ?? offset
    } else break
  }
  return offset
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
