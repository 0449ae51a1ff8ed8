import { CoherexError } from '@coherex/contract'

export type JsonSchema = Record<string, unknown> | boolean

/** A schema that may be kept, and what it costs to check a value against it. */
export interface WeighedSchema {
  /** It refers to itself, or grows a lot where its references are followed: checks of it need a limit of time. */
  isHeavy: boolean
}

const mostBytes = 256 * 1024
const deepest = 64
const mostNodes = 5_000
const mostVisits = 20_000

const inOne = ['not', 'if', 'then', 'else', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items']
const alsoInOne = ['contains', 'unevaluatedItems', 'contentSchema', 'additionalItems']
const inLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const inRecords = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
/** Hold schemas that count only where something refers to them. */
const shelves = new Set(['$defs', 'definitions'])

/** Bounds of a schema that a person wrote or code declared. Throws with the place of what is wrong. */
export function weighSchema(schema: JsonSchema): WeighedSchema {
  if (JSON.stringify(schema).length > mostBytes) throw refuse('', `is longer than ${mostBytes / 1024} KB`)
  let nodes = 0
  walk(schema, '', 0)
  const visits = countVisits(schema)
  return { isHeavy: visits > mostVisits }

  function walk(node: unknown, path: string, depth: number): void {
    if (typeof node === 'boolean') return
    if (typeof node !== 'object' || node === null || Array.isArray(node)) throw refuse(path, 'must be a schema')
    if (depth > deepest) throw refuse(path, `is more than ${deepest} levels deep`)
    if (++nodes > mostNodes) throw refuse(path, `has more than ${mostNodes} parts`)
    const own = node as Record<string, unknown>
    for (const word of ['$dynamicRef', '$recursiveRef'])
      if (own[word] !== undefined) throw refuse(`${path}/${word}`, 'is not supported: use $ref')
    if (own['$ref'] !== undefined && find(schema, own['$ref']) === undefined)
      throw refuse(`${path}/$ref`, `must lead to a part of this schema, such as "#/$defs/item"`)
    for (const [name, child] of childrenOf(own)) walk(child, `${path}/${name}`, depth + 1)
  }
}

function refuse(path: string, what: string): CoherexError {
  return new CoherexError('invalid_input', `The schema${path && ` at ${path.slice(0, 200)}`} ${what}`)
}

function* childrenOf(node: Record<string, unknown>): Iterable<[name: string, child: unknown]> {
  for (const word of [...inOne, ...alsoInOne]) {
    const child = node[word]
    // items may be a list in schemas of earlier drafts
    if (Array.isArray(child)) yield* child.map((one, at): [string, unknown] => [`${word}/${at}`, one])
    else if (child !== undefined) yield [word, child]
  }
  for (const word of inLists) {
    const list = node[word]
    if (Array.isArray(list)) yield* list.map((one, at): [string, unknown] => [`${word}/${at}`, one])
  }
  for (const word of inRecords) {
    const record = node[word]
    if (typeof record !== 'object' || record === null || Array.isArray(record)) continue
    for (const [name, child] of Object.entries(record)) yield [`${word}/${name}`, child]
  }
}

/** How many parts are looked at for one value, where every reference is followed; infinite where one leads back. */
function countVisits(root: JsonSchema): number {
  const known = new Map<object, number>()
  const open = new Set<object>()
  return count(root)

  function count(node: unknown): number {
    if (typeof node !== 'object' || node === null) return 1
    const counted = known.get(node)
    if (counted !== undefined) return counted
    if (open.has(node)) return Number.POSITIVE_INFINITY
    open.add(node)
    const own = node as Record<string, unknown>
    let visits = 1
    if (own['$ref'] !== undefined) visits += count(find(root, own['$ref']))
    for (const [name, child] of childrenOf(own)) if (!shelves.has(name.split('/')[0] ?? '')) visits += count(child)
    open.delete(node)
    known.set(node, visits)
    return visits
  }
}

/** Where a reference within the schema leads. */
function find(root: JsonSchema, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined
  let node: unknown = root
  for (const part of reference
    .slice(2)
    .split('/')
    .filter((_, __, all) => all.join('') !== '')) {
    const name = decode(part)
    if (typeof node !== 'object' || node === null || name === undefined || !Object.hasOwn(node, name)) return undefined
    node = (node as Record<string, unknown>)[name]
  }
  return typeof node === 'boolean' || (typeof node === 'object' && node !== null) ? node : undefined
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
