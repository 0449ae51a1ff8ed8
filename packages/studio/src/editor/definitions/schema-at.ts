export type JsonSchema = Readonly<Record<string, unknown>>
export type Steps = readonly (string | number)[]

const deepest = 8

/** All that a schema says of the value at a place: itself and each of its alternatives. */
export function schemasAt(root: JsonSchema, path: Steps): JsonSchema[] {
  let found = alternatives(root, root)
  for (const step of path)
    found = found.flatMap((schema) => childrenOf(schema, step)).flatMap((child) => alternatives(root, child))
  return found
}

/** Fields that a mapping may have, with the schema of each. */
export function fieldsOf(root: JsonSchema, schema: JsonSchema): [name: string, JsonSchema][] {
  const named = Object.entries(asSchema(schema['properties']) ?? {}).map(([name, one]): [string, JsonSchema] => [
    name,
    asSchema(one) ?? {},
  ])
  const names = asSchema(schema['propertyNames'])
  const value = asSchema(schema['additionalProperties'])
  if (!names || !value) return named
  const others = alternatives(root, names).flatMap((one) => valuesOf(one))
  return [...named, ...others.map((name): [string, JsonSchema] => [String(name), value])]
}

/** Values that a schema names, for one to choose from. */
export function valuesOf({ const: only, enum: several, examples, type }: JsonSchema): unknown[] {
  const named = [only === undefined ? [] : [only], several, examples].flatMap((one) => (Array.isArray(one) ? one : []))
  return type === 'boolean' ? [true, false, ...named] : named
}

export function typesOf(schemas: readonly JsonSchema[]): string[] {
  return [...new Set(schemas.flatMap(({ type }) => (typeof type === 'string' ? type : [])))]
}

export function alternatives(root: JsonSchema, schema: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > deepest) return []
  const { $ref: ref, anyOf, oneOf, allOf } = schema
  const referred = typeof ref === 'string' ? resolve(root, ref) : undefined
  const inner = ([referred, anyOf, oneOf, allOf] as unknown[])
    .flat()
    .map(asSchema)
    .filter((one) => one !== undefined)
  return [schema, ...inner.flatMap((one) => alternatives(root, one, depth + 1))]
}

function resolve(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!ref.startsWith('#')) return undefined
  const steps = ref.slice(1).split('/').filter(Boolean)
  return steps.reduce<JsonSchema | undefined>((at, step) => asSchema(at?.[step]), root)
}

function childrenOf(schema: JsonSchema, step: string | number): JsonSchema[] {
  if (typeof step === 'number') return asSchema(schema['items']) ? [asSchema(schema['items']) as JsonSchema] : []
  const properties = asSchema(schema['properties'])
  const own = properties && Object.hasOwn(properties, step) ? properties[step] : schema['additionalProperties']
  const child = asSchema(own)
  return child ? [child] : []
}

function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined
}
