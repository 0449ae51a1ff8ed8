/** The part of JSON Schema that a form can be made of; anything else is typed as JSON. */
export interface InputSchema {
  type?: unknown
  title?: string
  description?: string
  properties?: Record<string, InputSchema>
  items?: InputSchema
  required?: readonly string[]
  enum?: readonly unknown[]
  default?: unknown
  $ref?: string
  anyOf?: readonly InputSchema[]
}

export interface InputField {
  name: string
  label: string
  hint: string | undefined
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'list' | 'json'
  choices: readonly string[]
  isRequired: boolean
  /** Fields of an object. */
  fields: readonly InputField[]
  /** What each entry of a list is. */
  item: InputField | undefined
}

export type Values = Record<string, unknown>

// further down, or where a schema refers to itself, a value is typed as JSON
const deepest = 4

/** The fields of an object's schema; undefined for a schema that is no object with named properties. */
export function fieldsOf(schema: InputSchema | undefined): InputField[] | undefined {
  const plain = resolve(schema ?? {}, schema ?? {})
  if (plain.type !== 'object' || Object.keys(plain.properties ?? {}).length === 0) return undefined
  return fieldsOfObject(plain, schema ?? {}, 0)
}

function fieldsOfObject({ properties = {}, required }: InputSchema, root: InputSchema, depth: number): InputField[] {
  return Object.entries(properties).map(([name, property]) =>
    toField(property, { name, root, depth, isRequired: required?.includes(name) ?? false }),
  )
}

interface FieldPlace {
  name: string
  root: InputSchema
  depth: number
  isRequired: boolean
}

function toField(property: InputSchema, { name, root, depth, isRequired }: FieldPlace): InputField {
  const plain = resolve(property, root)
  const kind = kindOf(plain, depth)
  return {
    name,
    label: property.title ?? plain.title ?? name,
    hint: property.description ?? plain.description,
    kind,
    choices: plain.enum?.map(String) ?? [],
    isRequired,
    fields: kind === 'object' ? fieldsOfObject(plain, root, depth + 1) : [],
    item:
      kind === 'list'
        ? toField({ title: 'Entry', ...plain.items }, { name: '', root, depth: depth + 1, isRequired: true })
        : undefined,
  }
}

/** What a reference leads to, and of a value that may be null the other kind. */
function resolve(schema: InputSchema, root: InputSchema): InputSchema {
  let found: InputSchema | undefined = schema
  for (let steps = 0; steps < 10 && found; steps++) {
    const some: readonly InputSchema[] = found.anyOf?.filter(({ type }) => type !== 'null') ?? []
    if (found.$ref !== undefined) found = at(root, found.$ref)
    else if (found.type === undefined && some.length === 1) found = some[0]
    else return found
  }
  return {}
}

function at(root: InputSchema, reference: string): InputSchema | undefined {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, part) => (node as Values | undefined)?.[part.replaceAll('~1', '/')], root) as
    | InputSchema
    | undefined
}

function kindOf({ type, enum: values, properties, items }: InputSchema, depth: number): InputField['kind'] {
  if (values?.every((value) => typeof value === 'string')) return 'choice'
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (depth >= deepest) return 'json'
  if (type === 'object' && Object.keys(properties ?? {}).length > 0) return 'object'
  return type === 'array' && typeof items === 'object' ? 'list' : 'json'
}

/** The object that is typed as JSON; undefined where it is none, so that a form cannot show it. */
export function valuesOf(text: string): Values | undefined {
  if (text.trim() === '') return {}
  try {
    return asValues(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function asValues(value: unknown): Values | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined
}

/** The values with one of them changed, or left out. */
export function withValue(values: Values, name: string, value: unknown): Values {
  const { [name]: _before, ...rest } = values
  return value === undefined ? rest : { ...rest, [name]: value }
}

/** What is typed into one field. A number or JSON that is not finished stays text until it is one. */
export function parseTyped(kind: InputField['kind'], typed: string | boolean): unknown {
  if (typed === '') return undefined
  if (typeof typed === 'boolean' || kind === 'text' || kind === 'choice') return typed
  if (kind === 'number') return Number.isFinite(Number(typed)) && !typed.endsWith('.') ? Number(typed) : typed
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}

/** What a new entry of a list begins as. */
export function emptyOf({ kind, choices }: InputField): unknown {
  const empty = { text: '', number: 0, boolean: false, choice: choices[0] ?? '', object: {}, list: [], json: null }
  return empty[kind]
}

/** What is wrong with a field's value, in words. */
export function whyNotField({ kind, isRequired }: InputField, value: unknown): string | undefined {
  if (value === undefined) return isRequired ? 'Needed' : undefined
  if (kind === 'number' && typeof value !== 'number') return 'Not a number'
  return undefined
}
