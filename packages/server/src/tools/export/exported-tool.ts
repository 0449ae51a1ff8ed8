import type { JsonSchema } from '../schema/weigh-schema.ts'

/** A version of a tool as those outside call it. */
export interface ExportedTool {
  name: string
  description: string
  /** The version that is called; the published one without it. */
  pinned: number | undefined
  version: number
  input: JsonSchema
  output: JsonSchema
  /** Of this server. */
  url: string
}

/** What callers of functions give: an object. An input of another kind is the one field of it. */
export interface Arguments {
  schema: Record<string, unknown>
  isWrapped: boolean
}

export function toArguments({ input }: ExportedTool): Arguments {
  if (typeof input === 'object' && input['type'] === 'object') return { schema: withoutName(input), isWrapped: false }
  const field = rebase(withoutName(input), '/properties/input')
  const properties = { input: field }
  return { schema: { type: 'object', properties, required: ['input'], additionalProperties: false }, isWrapped: true }
}

/** Says nothing of itself, so that it stands anywhere: a place of its own would be asked for by whoever reads it. */
export function withoutName(schema: JsonSchema): Record<string, unknown> {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} }
  const { $id: _, $schema: __, ...rest } = schema
  return rest
}

/** Words whose values are data, not schemas. */
const data = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** A schema as part of a larger document: references to its own parts lead there. */
export function rebase(schema: Record<string, unknown>, place: string): Record<string, unknown> {
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([word, one]) => {
        if (word === '$ref' && typeof one === 'string') return [word, one.replace(/^#/, `#${place}`)]
        return [word, data.has(word) ? one : move(one)]
      }),
    )
  }
  return move(schema) as Record<string, unknown>
}
