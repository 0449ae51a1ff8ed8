import { agentDefinition, toolDefinition, type DefinitionKind } from '@coherex/contract'
import { z } from 'zod'
import { frontMatterFields } from './skills/parse-front-matter.ts'

const schemas = { agent: agentDefinition, tool: toolDefinition, skill: frontMatterFields }
const made = new Map<DefinitionKind, Record<string, unknown>>()

/** The JSON Schema of what people write, for editors. The check of a definition says more than it can. */
export function schemaOfDefinition(kind: DefinitionKind): Record<string, unknown> {
  const known = made.get(kind) ?? { ...z.toJSONSchema(schemas[kind], { io: 'input', unrepresentable: 'any' }) }
  if (kind === 'tool' && !made.has(kind)) nameSchemaWords(known)
  made.set(kind, known)
  return known
}

/** Input and output of a tool are schemas too: their usual words are named, others may stand beside them. */
function nameSchemaWords(schema: Record<string, unknown>): void {
  const { properties } = schema as { properties: Record<string, { anyOf?: { type?: string; $ref?: string }[] }> }
  for (const side of ['input', 'output']) {
    const written = properties[side]?.anyOf?.find(({ type }) => type === 'object')
    if (!written) continue
    for (const name of Object.keys(written)) delete written[name as keyof typeof written]
    written.$ref = '#/$defs/schema'
  }
  schema['$defs'] = { schema: schemaWords }
}

const one = { $ref: '#/$defs/schema' }
const count = { type: 'integer', minimum: 0 }
const schemaWords = {
  type: 'object',
  properties: {
    type: {
      description: 'What the value is',
      type: 'string',
      enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
    },
    description: { description: 'What it means: models read it', type: 'string' },
    properties: { description: 'Fields by their names', type: 'object', additionalProperties: one },
    required: { description: 'Fields that must be there', type: 'array', items: { type: 'string' } },
    additionalProperties: {
      description: 'Whether other fields may be there, or what they must be',
      anyOf: [{ type: 'boolean' }, one],
    },
    items: { description: 'What each item of a list is', ...one },
    enum: { description: 'The values it may have', type: 'array' },
    const: { description: 'The one value it may have' },
    default: { description: 'What it is unless said' },
    examples: { description: 'Values to begin with', type: 'array' },
    format: {
      description: 'How a text is written',
      type: 'string',
      examples: ['date', 'date-time', 'email', 'uri', 'uuid'],
    },
    pattern: { description: 'A regular expression that a text must match', type: 'string' },
    minLength: { description: 'Characters at least', ...count },
    maxLength: { description: 'Characters at most', ...count },
    minimum: { description: 'The least it may be', type: 'number' },
    maximum: { description: 'The most it may be', type: 'number' },
    minItems: { description: 'Items at least', ...count },
    maxItems: { description: 'Items at most', ...count },
    anyOf: { description: 'It must fit one of these', type: 'array', items: one },
  },
}
