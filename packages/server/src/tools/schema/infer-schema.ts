import { parseSync, type Comment } from 'oxc-parser'
import type { JsonSchema } from './weigh-schema.ts'

/** A node of the tree, as far as types are read. */
interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export interface InferredSchemas {
  input?: JsonSchema
  output?: JsonSchema
}

const simple: Record<string, JsonSchema> = {
  TSStringKeyword: { type: 'string' },
  TSNumberKeyword: { type: 'number' },
  TSBooleanKeyword: { type: 'boolean' },
  TSNullKeyword: { type: 'null' },
}
const empty = new Set(['TSUndefinedKeyword', 'TSVoidKeyword'])
const lists = new Set(['Array', 'ReadonlyArray', 'Set'])
const deepest = 32

/**
 * Schemas by the types of the default export `(env, input) => output`, or by its JSDoc. Types are read as they are written in this
 * file: what it imports or computes takes every value.
 */
export function inferSchemas(code: string): InferredSchemas {
  const { program, comments, errors } = parseSync('tool.ts', code, { sourceType: 'module', preserveParens: false })
  if (errors.length > 0) return {}
  const body = program.body as unknown as Node[]
  const statements = body.map((one) => (one['declaration'] as Node | null | undefined) ?? one)
  const exported = body.find(({ type }) => type === 'ExportDefaultDeclaration')
  const main = exported && functionOf(exported['declaration'] as Node, statements)
  if (!main) return {}
  const declared = new Map(statements.flatMap((one) => (isType(one) ? [[nameOf(one['id']), one] as const] : [])))
  const docs = createDocs(code, comments)
  const doc = docs(exported) ?? docs(main.statement)
  const tags = readTags(doc?.tags ?? '')
  const parameter = (main.node['params'] as Node[])[1]
  const given = typeOf(patternOf(parameter)) ?? tags.input
  const answered = typeOf(main.node, 'returnType') ?? tags.output
  return {
    ...(given && { input: toRoot(given, declared, docs) }),
    ...(answered && { output: toRoot(unwrapPromise(answered), declared, docs) }),
  }
}

function functionOf(node: Node, statements: Node[]): { node: Node; statement: Node } | undefined {
  if (['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type))
    return { node, statement: node }
  if (node.type !== 'Identifier') return undefined
  const name = nameOf(node)
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration' && nameOf(statement['id']) === name)
      return { node: statement, statement }
    if (statement.type !== 'VariableDeclaration') continue
    const found = (statement['declarations'] as Node[]).find((one) => nameOf(one['id']) === name)
    const made = found?.['init'] as Node | null | undefined
    if (made?.type.includes('Function')) return { node: made, statement }
  }
  return undefined
}

const isType = ({ type }: Node) =>
  ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration'].includes(type)
const nameOf = (node: unknown): string => String((node as { name?: unknown } | null)?.name ?? '')
const patternOf = (node: Node | undefined) => (node?.type === 'AssignmentPattern' ? (node['left'] as Node) : node)

function typeOf(node: Node | undefined, field = 'typeAnnotation'): Node | undefined {
  const annotation = node?.[field] as Node | null | undefined
  return (annotation?.['typeAnnotation'] as Node | undefined) ?? undefined
}

function unwrapPromise(type: Node): Node {
  const [inner] = argumentsOf(type)
  return type.type === 'TSTypeReference' && nameOf(type['typeName']) === 'Promise' && inner ? inner : type
}

const argumentsOf = (type: Node): Node[] =>
  ((type['typeArguments'] as Node | null)?.['params'] as Node[] | undefined) ?? []

type Docs = ReturnType<typeof createDocs>

/** The schema of a type with those that it names beside it. */
function toRoot(type: Node, declared: ReadonlyMap<string, Node>, docs: Docs): JsonSchema {
  const named = new Map<string, JsonSchema>()

  function read(node: Node, depth = 0): JsonSchema {
    if (depth > deepest) return {}
    const next = (one: Node) => read(one, depth + 1)
    const known = simple[node.type]
    if (known !== undefined) return known
    switch (node.type) {
      case 'TSLiteralType': {
        const { value } = node['literal'] as { value?: unknown }
        return value === undefined || typeof value === 'bigint' ? {} : { const: value }
      }
      case 'TSArrayType':
        return { type: 'array', items: next(node['elementType'] as Node) }
      case 'TSTupleType': {
        const items = (node['elementTypes'] as Node[]).map(next)
        return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length }
      }
      case 'TSTypeOperator':
        return node['operator'] === 'readonly' ? next(node['typeAnnotation'] as Node) : {}
      case 'TSUnionType':
        return toUnion(node['types'] as Node[], next)
      case 'TSIntersectionType':
        return { allOf: (node['types'] as Node[]).map(next) }
      case 'TSTypeLiteral':
        return toObject(node['members'] as Node[], next)
      case 'TSTypeReference':
        return toNamed(node, next)
      default:
        return {}
    }
  }

  function toNamed(node: Node, next: (one: Node) => JsonSchema): JsonSchema {
    const name = nameOf(node['typeName'])
    const [first, second] = argumentsOf(node)
    const one = declared.get(name)
    if (one) {
      // a type with parameters is another one wherever it is used
      if (one['typeParameters']) return {}
      if (!named.has(name)) {
        named.set(name, {})
        named.set(name, { ...asObject(declare(one, next)), ...describe(one) })
      }
      return { $ref: `#/$defs/${name}` }
    }
    if (lists.has(name) && first && name !== 'Set') return { type: 'array', items: next(first) }
    if (name === 'Record' && second) return { type: 'object', additionalProperties: next(second) }
    if (name === 'Partial' && first) return { ...asObject(inline(next(first))), required: [] }
    return (name === 'Readonly' || name === 'NonNullable') && first ? next(first) : {}
  }

  const inline = (schema: JsonSchema): JsonSchema => {
    const reference = asObject(schema)['$ref']
    return typeof reference === 'string' ? (named.get(reference.slice('#/$defs/'.length)) ?? {}) : schema
  }

  function declare(one: Node, next: (node: Node) => JsonSchema): JsonSchema {
    if (one.type === 'TSTypeAliasDeclaration') return next(one['typeAnnotation'] as Node)
    const inside = one['body'] as Node
    if (one.type === 'TSEnumDeclaration') {
      const values = (inside['members'] as Node[]).map(
        (member) => (member['initializer'] as { value?: unknown } | null)?.value,
      )
      return values.every((value) => typeof value === 'string') ? { enum: values } : {}
    }
    const own = toObject(inside['body'] as Node[], next)
    const bases = ((one['extends'] as Node[] | undefined) ?? []).map((base) =>
      next({ ...base, type: 'TSTypeReference', typeName: base['expression'] }),
    )
    return bases.length === 0 ? own : { allOf: [...bases, own] }
  }

  function toObject(members: Node[], next: (node: Node) => JsonSchema): JsonSchema {
    const properties: [string, JsonSchema][] = []
    const required: string[] = []
    let others: JsonSchema | undefined
    for (const member of members) {
      const type = typeOf(member)
      if (member.type === 'TSIndexSignature' && type) others = next(type)
      if (member.type !== 'TSPropertySignature') continue
      const key = member['key'] as { name?: string; value?: unknown }
      const name = key.name ?? String(key.value)
      properties.push([name, { ...asObject(type ? next(type) : {}), ...describe(member) }])
      if (!member['optional']) required.push(name)
    }
    return {
      type: 'object',
      // a field may be called __proto__
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(others !== undefined && { additionalProperties: others }),
    }
  }

  function describe(node: Node): { description?: string } {
    const text = docs(node)?.text
    return text ? { description: text } : {}
  }

  const root = asObject(inline(read(type)))
  return named.size === 0 ? root : { ...root, $defs: Object.fromEntries(named) }
}

function toUnion(types: Node[], next: (node: Node) => JsonSchema): JsonSchema {
  const schemas = types.filter(({ type }) => !empty.has(type)).map(next)
  const values = schemas.map((schema) => asObject(schema)['const'])
  if (values.length > 0 && values.every((value) => value !== undefined)) return { enum: values }
  const [only, another] = schemas
  return another === undefined ? (only ?? {}) : { anyOf: schemas }
}

const asObject = (schema: JsonSchema): Record<string, unknown> => (typeof schema === 'boolean' ? {} : schema)

/** Finds the JSDoc that ends where a node begins. */
function createDocs(code: string, comments: readonly Comment[]) {
  const blocks = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  return ({ start }: Node): { text: string; tags: string } | undefined => {
    const block = blocks.findLast(({ end }) => end <= start)
    if (!block || !/^\s*(?:export\s+|default\s+|async\s+)*$/.test(code.slice(block.end, start))) return undefined
    const lines = block.value.slice(1).split('\n')
    const text = lines.map((line) => line.replace(/^\s*\*? ?/, '')).join('\n')
    const at = text.search(/^\s*@/m)
    const words = (at < 0 ? text : text.slice(0, at)).trim().replaceAll(/\s+/g, ' ')
    return { text: words, tags: at < 0 ? '' : text.slice(at) }
  }
}

/** Types that JSDoc has in braces, for JavaScript. */
function readTags(tags: string): { input?: Node; output?: Node } {
  const input = typeAfter(tags, /@param\s+(?=\{)/g, (rest) => !/^\s*_?env\b/.test(rest))
  const output = typeAfter(tags, /@returns?\s+(?=\{)/g, () => true)
  return { ...(input && { input }), ...(output && { output }) }
}

function typeAfter(text: string, tag: RegExp, isMeant: (rest: string) => boolean): Node | undefined {
  for (const found of text.matchAll(tag)) {
    const from = found.index + found[0].length
    let depth = 0
    let to = from
    do {
      if (text[to] === '{') depth++
      if (text[to] === '}') depth--
      to++
    } while (depth > 0 && to < text.length)
    if (!isMeant(text.slice(to))) continue
    const { program, errors } = parseSync('type.ts', `type T = ${text.slice(from + 1, to - 1)}`)
    const [alias] = program.body as unknown as Node[]
    if (errors.length === 0 && alias) return alias['typeAnnotation'] as Node
  }
  return undefined
}
