import type { ToolFolder } from '../../registry/index.ts'

type Schema = ToolFolder['input']

/** A schema of an object, as clients take it, and the way between its values and those of the tool. */
export interface ObjectSchema {
  schema: { type: 'object'; [keyword: string]: unknown }
  /** The value as the tool has it. */
  unwrap(given: Record<string, unknown>): unknown
  /** The tool's value as the schema has it. */
  wrap(value: unknown): Record<string, unknown>
}

/** Clients give and take objects; a value of any other kind is one field of one. */
export function toObjectSchema(schema: Schema, field: 'input' | 'output'): ObjectSchema {
  if (typeof schema === 'object' && schema['type'] === 'object') {
    return {
      schema: { ...schema, type: 'object' },
      unwrap: (given) => given,
      wrap: (value) => value as Record<string, unknown>,
    }
  }
  // references begin at the root
  const { $defs, $schema, ...own } = typeof schema === 'object' ? schema : { $defs: undefined, $schema: undefined }
  return {
    schema: {
      ...($schema === undefined ? {} : { $schema }),
      type: 'object',
      properties: { [field]: own },
      required: [field],
      ...($defs === undefined ? {} : { $defs }),
    },
    unwrap: (given) => given[field],
    wrap: (value) => ({ [field]: value }),
  }
}
