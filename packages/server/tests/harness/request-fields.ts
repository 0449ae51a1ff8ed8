import type { Route } from '@coherex/contract'
import type { z } from 'zod'

/** A place in a request where a caller writes something. */
export interface RequestField {
  part: 'params' | 'query' | 'body'
  /** Such as `files.*` or `messages.0.id`; a name that a caller chooses is `{name}`. */
  path: string
  kind: 'text' | 'number' | 'name'
  /** A text or name that its schema takes here. */
  example: string
  /** The least of the part that its schema takes, with `value` at this place. */
  put(value: unknown): unknown
}

const example = 'sample'

type Place = Omit<RequestField, 'part'>

interface Definition {
  type: string
  shape: Record<string, z.ZodType>
  catchall?: z.ZodType
  innerType: z.ZodType
  element: z.ZodType
  options: z.ZodType[]
  keyType: z.ZodType
  valueType: z.ZodType
  in: z.ZodType
  out: z.ZodType
  values: unknown[]
  entries: Record<string, string>
}

/** Every place of a route's params, query and body, and the least that each of them takes. `texts` fill what has a form. */
export function requestFields(route: Route, texts: string[]): RequestField[] {
  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = route[part]
    if (!schema || schema === 'bytes') return []
    return placesOf(schema, texts).map((place) => ({ ...place, part }))
  })
}

/** The least that a schema takes. */
export function leastOf(schema: z.ZodType, texts: string[]): unknown {
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'string':
      return texts.find((one) => schema.safeParse(one).success) ?? 'none'
    case 'number':
      return [1, 100, 1_000, 60_000].find((one) => schema.safeParse(one).success) ?? 1
    case 'boolean':
      return true
    case 'enum':
      return texts.find((one) => schema.safeParse(one).success) ?? Object.values(definition.entries)[0]
    case 'literal':
      return definition.values[0]
    case 'array':
      return schema.safeParse([]).success ? [] : [leastOf(definition.element, texts)]
    case 'record':
      return {}
    case 'union':
      return leastOf(definition.options[0]!, texts)
    case 'pipe':
      // such as an address: first text, then one with a form
      return texts.find((one) => schema.safeParse(one).success) ?? leastOf(innerOfPipe(definition), texts)
    case 'object':
      return leastObject(schema, texts)
    case 'unknown':
    case 'lazy':
      return 'sample'
    default:
      return definition.innerType ? leastOf(definition.innerType, texts) : null
  }
}

function placesOf(schema: z.ZodType, texts: string[]): Place[] {
  const definition = definitionOf(schema)
  const below = (name: string, inner: z.ZodType, put: (value: unknown) => unknown): Place[] =>
    placesOf(inner, texts).map((place) => ({
      ...place,
      path: place.path === '' ? name : `${name}.${place.path}`,
      put: (value) => put(place.put(value)),
    }))
  switch (definition.type) {
    case 'string':
      return [{ path: '', kind: 'text', example: String(leastOf(schema, texts)), put: (value) => value }]
    case 'number':
      return [{ path: '', kind: 'number', example: '', put: (value) => value }]
    case 'unknown':
    case 'lazy': // z.json()
      return [
        { path: '', kind: 'text', example, put: (value) => value },
        { path: '*', kind: 'text', example, put: (value) => ({ list: [{ name: value }] }) },
        { path: '{name}', kind: 'name', example, put: (name) => ({ list: [{ [String(name)]: 1 }] }) },
      ]
    case 'array':
      return below('0', definition.element, (value) => [value])
    case 'record': {
      const name = String(leastOf(definition.keyType, texts))
      const least = leastOf(definition.valueType, texts)
      return [
        ...below('*', definition.valueType, (value) => ({ [name]: value })),
        { path: '{name}', kind: 'name', example: name, put: (chosen) => ({ [String(chosen)]: least }) },
      ]
    }
    case 'union':
      return definition.options.flatMap((option) => placesOf(option, texts))
    case 'pipe':
      return placesOf(innerOfPipe(definition), texts).map((place) =>
        place.kind === 'text' && place.path === '' ? { ...place, example: String(leastOf(schema, texts)) } : place,
      )
    case 'object': {
      const least = leastOf(schema, texts) as object
      const named = Object.entries(definition.shape).flatMap(([name, field]) =>
        below(name, field, (value) => ({ ...least, [name]: value })),
      )
      const isLoose = definition.catchall !== undefined && definitionOf(definition.catchall).type === 'unknown'
      if (!isLoose) return named
      const extra: Place[] = [
        { path: '*', kind: 'text', example, put: (value) => ({ ...least, extra: value }) },
        { path: '{name}', kind: 'name', example, put: (name) => ({ ...least, [String(name)]: 1 }) },
      ]
      return [...named, ...extra]
    }
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
    case 'never':
      return []
    default:
      if (!definition.innerType) throw new Error(`Cannot find the places of a schema of type ${definition.type}`)
      return placesOf(definition.innerType, texts)
  }
}

function leastObject(schema: z.ZodType, texts: string[]): object {
  const { shape } = definitionOf(schema)
  const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success)
  const least = Object.fromEntries(required.map(([name, field]) => [name, leastOf(field, texts)]))
  if (schema.safeParse(least).success) return least
  // where a rule is about several fields, one more or another text may do
  const others = Object.keys(shape).flatMap((name) => texts.map((text) => ({ ...least, [name]: text })))
  return others.find((one) => schema.safeParse(one).success) ?? least
}

/** What is read of a pipe: its first part, or after a `preprocess` its second. */
function innerOfPipe(definition: Definition): z.ZodType {
  return definitionOf(definition.in).type === 'transform' ? definition.out : definition.in
}

function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition
}
