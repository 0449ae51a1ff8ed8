/** A part of a JSON Schema. Words that the form does not know stay as they are. */
export type Schema = Record<string, unknown>

export const schemaKinds = ['text', 'number', 'integer', 'boolean', 'choice', 'object', 'list', 'other'] as const
export type SchemaKind = (typeof schemaKinds)[number]

export interface Property {
  name: string
  schema: Schema
  isRequired: boolean
}

export const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}

/** What the form calls a schema; `other` is written as JSON. */
export function kindOf(schema: Schema): SchemaKind {
  const { type } = schema
  if (Array.isArray(schema['enum'])) return schema['enum'].every((one) => typeof one === 'string') ? 'choice' : 'other'
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer' || type === 'boolean' || type === 'object') return type
  return type === 'array' ? 'list' : 'other'
}

const beginnings: Record<SchemaKind, Schema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  choice: { type: 'string', enum: ['one', 'two'] },
  object: { type: 'object', properties: {}, additionalProperties: false },
  list: { type: 'array', items: { type: 'string' } },
  other: {},
}

/** Another kind of value. What it is called and what it is for stay. */
export function toKind(schema: Schema, kind: SchemaKind): Schema {
  const said = Object.entries(schema).filter(([word]) => word === 'title' || word === 'description')
  return { ...beginnings[kind], ...Object.fromEntries(said) }
}

/** The schema with another value of a word; an empty one takes the word away. */
export function setWord(schema: Schema, word: string, value: unknown): Schema {
  const { [word]: _before, ...rest } = schema
  return value === undefined || value === '' ? rest : { ...schema, [word]: value }
}

export function propertiesOf(schema: Schema): Property[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(asSchema(schema['properties'])).map(([name, property]) => ({
    name,
    schema: asSchema(property),
    isRequired: required.includes(name),
  }))
}

/** The schema of an object with these properties, in this order. */
export function withProperties(schema: Schema, properties: readonly Property[]): Schema {
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const next = { ...schema, properties: Object.fromEntries(properties.map((one) => [one.name, one.schema])) }
  return setWord(next, 'required', required.length > 0 ? required : undefined)
}

/** A name that none of the properties has. */
export function freeName(properties: readonly Property[]): string {
  const taken = new Set(properties.map(({ name }) => name))
  let number = properties.length + 1
  while (taken.has(`field${number}`)) number++
  return `field${number}`
}
