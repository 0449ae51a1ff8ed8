import type { DefinitionProblem } from '@coherex/contract'
import { z } from 'zod'
import { findExcess } from './find-excess.ts'
import { nearestWord } from './nearest-word.ts'
import { mostProblems, readDocument, unstorable, unstorableMessage, type ReadDocument } from './read-document.ts'

export type ParsedText<Definition> =
  | { definition: Definition; problems: [] }
  | { definition?: undefined; problems: DefinitionProblem[] }

interface ParseOptions<Definition> {
  schema: z.ZodType<Definition>
  /** How such a text begins. */
  begin: string
  /** What the schema cannot say, once it is met. */
  refuse?(definition: Definition): { path: PropertyKey[]; message: string }[]
  hintFor?(path: PropertyKey[], valueAt: ReadDocument['valueAt']): string | undefined
}

/** A definition from its text, YAML or JSON, or everything that is wrong with it and where. */
export function parseText<Definition>(source: string, options: ParseOptions<Definition>): ParsedText<Definition> {
  const { schema, begin, refuse } = options
  const unreadable = findUnreadable(source)
  if (unreadable) return { problems: [unreadable] }
  const fields = { message: 'must be a mapping of fields', hint: `Begin with “${begin}”` }
  const { document, problems } = readDocument(source, { mostAliases: 100, fields })
  if (!document) return { problems }
  const parsed = schema.safeParse(document.value)
  if (!parsed.success) {
    const found = parsed.error.issues.slice(0, mostProblems).flatMap((issue) => describe(issue, document, options))
    return { problems: found.slice(0, mostProblems) }
  }
  const refused = refuse?.(parsed.data) ?? []
  if (refused.length === 0) return { definition: parsed.data, problems: [] }
  return {
    problems: refused.map(({ path, message }) => ({ message, path: path.join('.'), ...document.locate(path) })),
  }
}

/** What the parser must not see, or could not be kept as it was written. */
function findUnreadable(source: string): DefinitionProblem | undefined {
  const odd = source.search(unstorable)
  const found = odd >= 0 ? { offset: odd, message: unstorableMessage } : findExcess(source)
  if (!found) return undefined
  const before = source.slice(0, found.offset).split('\n')
  return { message: found.message, path: '', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function describe<Definition>(
  issue: z.core.$ZodIssue,
  document: ReadDocument,
  { schema, hintFor }: ParseOptions<Definition>,
): DefinitionProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path)
    return issue.keys.slice(0, mostProblems).map((key) => {
      const path = [...issue.path, key]
      const guess = nearestWord(key, known)
      return {
        message: `there is no field “${key}”`,
        path: path.join('.'),
        ...document.locate(path),
        ...(guess && { hint: `Did you mean “${guess}”?` }),
      }
    })
  }
  const isMissing = issue.code === 'invalid_type' && document.valueAt(issue.path) === undefined
  const hint = hintFor?.(issue.path, document.valueAt)
  return [
    {
      message: isMissing ? 'is missing' : messageOf(issue),
      path: issue.path.map(String).join('.'),
      ...document.locate(issue.path),
      ...(hint && { hint }),
    },
  ]
}

function messageOf(issue: z.core.$ZodIssue): string {
  // what is wrong with a key is said of the key
  const said = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return lowerFirst(said)
}

/** The fields there are below a path, where it leads to fields. */
function fieldsAt(root: z.ZodType, path: readonly PropertyKey[]): string[] {
  let schema: unknown = root
  const open = () => (schema instanceof z.ZodOptional ? schema.unwrap() : schema)
  for (const part of path) {
    schema = open()
    if (schema instanceof z.ZodObject) schema = schema.shape[String(part)]
    else if (schema instanceof z.ZodArray) schema = schema.element
    else return []
  }
  schema = open()
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
