type Schema = Record<string, unknown> | boolean

const deepest = 8
const mostItems = 3

/** A value that fits a JSON Schema where that can be seen: what an example says, or the smallest of each kind. */
export function sampleOf(schema: unknown): unknown {
  return sample(schema as Schema, schema as Schema, 0)
}

function sample(schema: Schema | undefined, root: Schema, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth > deepest) return null
  const told = ['const', 'default', 'example'].find((word) => schema[word] !== undefined)
  if (told !== undefined) return schema[told]
  for (const word of ['examples', 'enum']) {
    const list = schema[word]
    if (Array.isArray(list) && list.length > 0) return list[0]
  }
  if (typeof schema['$ref'] === 'string') return sample(find(root, schema['$ref']), root, depth + 1)
  for (const word of ['oneOf', 'anyOf']) {
    const list = schema[word]
    if (Array.isArray(list) && list.length > 0) return sample(list[0] as Schema, root, depth + 1)
  }
  if (Array.isArray(schema['allOf'])) {
    const parts = schema['allOf'].map((one) => sample(one as Schema, root, depth + 1))
    const own = sampleOfType(schema, root, depth)
    return parts.every(isObject) ? Object.assign({}, ...parts, isObject(own) ? own : {}) : (parts[0] ?? own)
  }
  return sampleOfType(schema, root, depth)
}

function sampleOfType(schema: Record<string, unknown>, root: Schema, depth: number): unknown {
  const type = Array.isArray(schema['type']) ? (schema['type'][0] as unknown) : schema['type']
  const number = (word: string) => (typeof schema[word] === 'number' ? schema[word] : undefined)
  if (type === 'object' || (type === undefined && isObject(schema['properties']))) {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
    const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
    // what may be left out is shown too, unless the schema goes round in circles
    const shown = properties.filter(([name]) => required.has(name) || depth < mostItems)
    return Object.fromEntries(shown.map(([name, one]) => [name, sample(one as Schema, root, depth + 1)]))
  }
  if (type === 'array') {
    const count = Math.min(mostItems, Math.max(1, number('minItems') ?? 0))
    if (depth >= mostItems && (number('minItems') ?? 0) === 0) return []
    return Array.from({ length: count }, () => sample(schema['items'] as Schema, root, depth + 1))
  }
  if (type === 'string') return sampleText(schema, number('minLength') ?? 0)
  if (type === 'integer' || type === 'number') {
    const least = number('minimum') ?? (number('exclusiveMinimum') ?? -1) + 1
    const most = number('maximum') ?? Number.POSITIVE_INFINITY
    return Math.min(Math.max(least, Math.min(1, most)), most)
  }
  return type === 'boolean' ? true : null
}

const formats: Record<string, string> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ann@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
}

function sampleText(schema: Record<string, unknown>, least: number): string {
  const format = typeof schema['format'] === 'string' ? formats[schema['format']] : undefined
  return (format ?? 'text').padEnd(Math.min(least, 1_000), '.')
}

function find(root: Schema, reference: string): Schema | undefined {
  const parts = reference.split('/').slice(1)
  return parts.reduce<unknown>(
    (node, part) => (isObject(node) ? node[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  ) as Schema | undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
