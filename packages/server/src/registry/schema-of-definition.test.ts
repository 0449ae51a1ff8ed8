import { expect, test } from 'vitest'
import { parseDefinition } from './index.ts'
import { schemaOfDefinition } from './schema-of-definition.ts'

test.each(['agent', 'tool', 'skill'] as const)('each field of the schema of a %s says what it is for', (kind) => {
  const { properties } = schemaOfDefinition(kind) as { properties: Record<string, { description?: string }> }
  const silent = Object.entries(properties).filter(([name, { description }]) => name !== 'kind' && !description)
  expect(silent.map(([name]) => name)).toEqual([])
})

test('the schema of a tool knows the words of JSON Schema for its input, and is JSON', () => {
  const schema = schemaOfDefinition('tool')
  expect(schema).toMatchObject({
    properties: { input: { anyOf: [{ const: 'code' }, { type: 'boolean' }, { $ref: '#/$defs/schema' }] } },
    $defs: { schema: { properties: { type: { enum: expect.arrayContaining(['object', 'string']) } } } },
  })
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
})

test('the check of an agent requires the fields that its schema requires', () => {
  const { required } = schemaOfDefinition('agent') as { required: string[] }
  const { problems } = parseDefinition('{}')
  expect(problems.map(({ path }) => path).toSorted()).toEqual(required.toSorted())
})
