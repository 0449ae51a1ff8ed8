import { agentDefinition, builtInTools, type AgentDefinition, type DefinitionProblem } from '@coherex/contract'
import { isMap, isPair, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'
import { z } from 'zod'
import { EgressError, teamRules } from '../../egress/index.ts'
import { findExcess } from '../definition/find-excess.ts'
import { nearestWord } from '../definition/nearest-word.ts'
import { refusedSchedules } from './schedule.ts'

export type ParsedDefinition =
  | { definition: AgentDefinition; problems: [] }
  | { definition?: undefined; problems: DefinitionProblem[] }

const mostProblems = 50
// a definition that aliases itself into something huge is refused by the parser
const mostAliases = 100
// PostgreSQL stores neither NUL nor half a character
const unstorable = /[\0\p{Surrogate}]/u
const unstorableMessage = 'has characters that cannot be stored'

/** A definition from its text, YAML or JSON, or everything that is wrong with it and where. */
export function parseDefinition(source: string): ParsedDefinition {
  const unreadable = findUnreadable(source)
  if (unreadable) return { problems: [unreadable] }
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, mostProblems).map((error) => ({
      message:
        error.code === 'MULTIPLE_DOCS'
          ? 'there is a second document: a text is one definition'
          : (error.message.split('\n', 1)[0] ?? 'cannot be read'),
      path: '',
      ...place(error.pos[0]),
      ...(error.code === 'TAB_AS_INDENT' && { hint: 'Indent with spaces' }),
    }))
    return { problems }
  }
  const odd = findUnstorable(document)
  if (odd !== undefined) return { problems: [{ message: unstorableMessage, path: '', ...place(odd) }] }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: mostAliases })
  } catch {
    return { problems: [{ message: 'uses too many aliases', path: '', line: 1, column: 1 }] }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const hint = 'Begin with “kind: agent”'
    return { problems: [{ message: 'must be a mapping of fields', path: '', line: 1, column: 1, hint }] }
  }
  const parsed = agentDefinition.safeParse(value)
  if (parsed.success) {
    const refused = [...refusedAddresses(parsed.data), ...refusedSchedules(parsed.data)]
    if (refused.length === 0) return { definition: parsed.data, problems: [] }
    return {
      problems: refused.map(({ path, message }) => ({
        message,
        path: path.join('.'),
        ...locate(document, path, place),
      })),
    }
  }
  const problems = parsed.error.issues.slice(0, mostProblems).flatMap((issue) => describe(issue, document, place))
  return { problems: problems.slice(0, mostProblems) }
}

/** What the parser must not see, or could not be kept as it was written. */
function findUnreadable(source: string): DefinitionProblem | undefined {
  const odd = source.search(unstorable)
  const found = odd >= 0 ? { offset: odd, message: unstorableMessage } : findExcess(source)
  if (!found) return undefined
  const before = source.slice(0, found.offset).split('\n')
  return { message: found.message, path: '', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
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

/** Prefixes that the guard would refuse: one that names no host would open every address at once. */
function refusedAddresses({ network }: AgentDefinition): { path: PropertyKey[]; message: string }[] {
  return (network?.allow ?? []).flatMap((allow, index) => {
    try {
      teamRules({ allow: [allow] })
      return []
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      return [{ path: ['network', 'allow', index], message: lowerFirst(error.message) }]
    }
  })
}

function describe(
  issue: z.core.$ZodIssue,
  document: Document,
  place: (offset: number) => { line: number; column: number },
): DefinitionProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(issue.path)
    return issue.keys.slice(0, mostProblems).map((key) => {
      const path = [...issue.path, key]
      const guess = nearestWord(key, known)
      return {
        message: `there is no field “${key}”`,
        path: path.join('.'),
        ...locate(document, path, place),
        ...(guess && { hint: `Did you mean “${guess}”?` }),
      }
    })
  }
  const isMissing = issue.code === 'invalid_type' && document.getIn(issue.path) === undefined
  return [
    {
      message: isMissing ? 'is missing' : messageOf(issue),
      path: issue.path.map(String).join('.'),
      ...locate(document, issue.path, place),
      ...hintFor(issue, document),
    },
  ]
}

function messageOf(issue: z.core.$ZodIssue): string {
  // what is wrong with a key is said of the key
  const said = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return lowerFirst(said)
}

function hintFor(issue: z.core.$ZodIssue, document: Document): { hint?: string } {
  const [place] = issue.path
  const tool = place === 'tools' ? document.getIn(issue.path) : place === 'approvals' ? issue.path[1] : undefined
  const guess = typeof tool === 'string' && nearestWord(tool, builtInTools)
  if (guess && guess !== tool) return { hint: `Did you mean “${guess}”?` }
  const field = issue.path.map(String).join('.')
  if (field === 'kind') return { hint: 'The first line is “kind: agent”' }
  if (field === 'model')
    return { hint: 'For example anthropic/claude-sonnet-5, or compatible/<model> for a server of yours' }
  if (field === 'name') return { hint: 'For example data-analyst' }
  return {}
}

/** The fields there are below a path, where it leads to fields. */
function fieldsAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = agentDefinition
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

/** Where a path stands; for a field that is absent, the nearest thing around it. */
function locate(
  document: Document,
  path: readonly PropertyKey[],
  place: (offset: number) => { line: number; column: number },
): { line: number; column: number } {
  let node: unknown = document.contents
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
  return place(offset)
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
