import type { JsonSchema } from '../schema/weigh-schema.ts'
import { createTypeNames } from './names.ts'

/** A type that several languages can write. */
export type Type =
  | { kind: 'any' | 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'never' }
  | { kind: 'literal'; values: (string | number | boolean | null)[] }
  | { kind: 'list'; items: Type }
  | { kind: 'map'; values: Type }
  | { kind: 'object'; fields: Field[]; isOpen: boolean }
  | { kind: 'union'; types: Type[] }
  | { kind: 'named'; name: string }

export interface Field {
  name: string
  type: Type
  isRequired: boolean
}

export interface TypeModel {
  input: Type
  output: Type
  /** In an order in which all that is named is somewhere; they may name each other in circles. */
  named: { name: string; type: Type }[]
}

type Schema = Record<string, unknown>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isLiteral = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Types of a tool's input and output, as near to their schemas as types get; where a schema says more, it is checked by the call. */
export function toTypes({ input, output }: { input: JsonSchema; output: JsonSchema }): TypeModel {
  const newName = createTypeNames()
  const named: TypeModel['named'] = []
  const read = (root: JsonSchema): Type => {
    const known = new Map<string, string>()
    return typeOf(root)

    function typeOf(schema: unknown): Type {
      if (schema === false) return { kind: 'never' }
      if (!isObject(schema)) return { kind: 'any' }
      if (typeof schema['$ref'] === 'string') return refer(schema['$ref'])
      if (isLiteral(schema['const']) && 'const' in schema)
        return { kind: 'literal', values: [schema['const'] as string] }
      if (Array.isArray(schema['enum']) && schema['enum'].length > 0 && schema['enum'].every(isLiteral))
        return { kind: 'literal', values: schema['enum'] as string[] }
      for (const word of ['anyOf', 'oneOf'])
        if (Array.isArray(schema[word]) && schema[word].length > 0)
          return { kind: 'union', types: (schema[word] as unknown[]).map(typeOf) }
      if (Array.isArray(schema['allOf']))
        return schema['allOf'].length === 1 ? typeOf(schema['allOf'][0]) : { kind: 'any' }
      const { type } = schema
      if (Array.isArray(type))
        return { kind: 'union', types: type.map((one) => typeOf({ ...schema, type: one as unknown })) }
      return ofKind(schema, type ?? (isObject(schema['properties']) ? 'object' : undefined))
    }

    function ofKind(schema: Schema, type: unknown): Type {
      switch (type) {
        case 'string':
        case 'integer':
        case 'number':
        case 'boolean':
        case 'null':
          return { kind: type }
        case 'array':
          return { kind: 'list', items: typeOf(schema['items'] ?? true) }
        case 'object': {
          const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
          const more = schema['additionalProperties'] ?? true
          if (properties.length === 0)
            return more === false
              ? { kind: 'object', fields: [], isOpen: false }
              : { kind: 'map', values: typeOf(more) }
          const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
          const fields = properties.map(([name, one]) => ({ name, type: typeOf(one), isRequired: required.has(name) }))
          return { kind: 'object', fields, isOpen: more !== false }
        }
        default:
          return { kind: 'any' }
      }
    }

    /** Each part that is referred to has a name, before it is read: it may refer to itself. */
    function refer(reference: string): Type {
      const kept = known.get(reference)
      if (kept !== undefined) return { kind: 'named', name: kept }
      const parts = reference.split('/').slice(1).map(decode)
      const target = parts.reduce<unknown>((node, part) => (isObject(node) ? node[part] : undefined), root)
      const name = newName(parts.at(-1) ?? 'Node')
      known.set(reference, name)
      const entry = { name, type: { kind: 'any' } as Type }
      named.push(entry)
      entry.type = typeOf(target)
      // a name that stands for itself stands for nothing
      if (entry.type.kind === 'named') entry.type = { kind: 'any' }
      return { kind: 'named', name }
    }
  }
  return { input: read(input), output: read(output), named }
}

function decode(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
