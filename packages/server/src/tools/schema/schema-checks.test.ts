import { describeFailures, sampleOf } from '@coherex/contract'
import { afterAll, describe, expect, it, test } from 'vitest'
import { createSchemaChecks } from './schema-checks.ts'
import type { JsonSchema } from './weigh-schema.ts'

const checks = createSchemaChecks()
afterAll(() => checks.close())
const failures = async (schema: JsonSchema, value: unknown) => describeFailures(await checks.check(schema, value))

const invoice: JsonSchema = {
  type: 'object',
  required: ['lines'],
  additionalProperties: false,
  properties: {
    currency: { enum: ['EUR', 'USD'] },
    due: { type: 'string', format: 'date' },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', required: ['price'], properties: { price: { type: 'number', minimum: 0 } } } },
}

describe('a value that does not fit', () => {
  it.each<[unknown, string]>([
    [{ lines: [{ price: 1 }] }, ''],
    [{ lines: [{ price: 1 }, { price: -1 }] }, 'lines[1].price must be >= 0'],
    [{ lines: [{}] }, 'lines[0].price is missing'],
    [{}, 'lines is missing'],
    [{ lines: [], colour: 1 }, 'colour is not known here'],
    [{ lines: [], currency: 'GBP' }, 'currency must be one of "EUR","USD"'],
    [{ lines: [], due: '31.1.2026' }, 'due must match format "date"'],
    [[], 'it must be object'],
  ])('%j: %s', async (value, expected) => expect(await failures(invoice, value)).toBe(expected))

  it('is found whatever the names are, and what every object has is no property', async () => {
    const schema = { properties: { 'a b': { properties: { __proto__x: { type: 'number' } } } }, required: ['toString'] }
    expect(await failures(schema, { 'a b': { __proto__x: 'x' } })).toBe('toString is missing')
  })
})

const nested = (levels: number): JsonSchema => {
  let schema: JsonSchema = {}
  for (let at = 0; at < levels; at++) schema = { not: schema }
  return schema
}
const doubling = {
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `a${at}`,
      at === 39 ? { type: 'number' } : { allOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
    ]),
  ),
  $ref: '#/$defs/a0',
}

test.each<[string, JsonSchema, string]>([
  ['a word that is no type', { type: 'strin' }, 'not valid'],
  ['a reference to nowhere', { $ref: '#/$defs/none' }, 'must lead to a part of this schema'],
  ['a reference to another place', { $ref: 'https://example.com/schema' }, 'must lead to a part of this schema'],
  ['a moving reference', { $dynamicRef: '#x' }, 'is not supported'],
  ['a schema of many levels', nested(100), 'levels deep'],
  ['a long one', { description: 'x'.repeat(300_000) }, 'longer than'],
  ['a pattern that only backtracking can match', { pattern: '(a)\\1' }, 'not valid'],
  ['a part that is no schema', { properties: { a: 5 } }, 'properties/a must be a schema'],
])('%s is refused', (_, schema, why) => expect(() => checks.admit(schema)).toThrow(why))

test('a pattern that would run for years elsewhere is matched at once', async () => {
  const began = performance.now()
  expect(await failures({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}b`)).toContain('must match pattern')
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a schema that refers to itself is checked, and one whose check grows without end is ended in its thread', async () => {
  const tree: JsonSchema = { properties: { value: { type: 'number' }, left: { $ref: '#' }, right: { $ref: '#' } } }
  expect(await failures(tree, { left: { right: { value: 'x' } } })).toBe('left.right.value must be number')
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  await expect(checks.check(doubling, 'x'.repeat(5))).resolves.toHaveLength(1)
  await expect(checks.check(doubling, 5)).rejects.toThrow('takes too long')
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(5)
  expect(await failures(tree, { left: { value: 1 } })).toBe('')
})

test('a value whose check calls itself without end is refused, and the next value is checked', async () => {
  const endless: JsonSchema = { allOf: [{ $ref: '#' }, { $ref: '#' }] }
  const deep: JsonSchema = { properties: { next: { $ref: '#' } } }
  let value = {}
  for (let depth = 0; depth < 200_000; depth++) value = { next: value }
  await expect(checks.check(endless, {})).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'The value cannot be checked against its schema, which refers to itself without end',
  })
  await expect(checks.check(deep, value)).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await failures(deep, { next: { next: {} } })).toBe('')
  const circle: JsonSchema = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
  expect(() => checks.admit(circle)).toThrow('refers to itself without end')
})

test.each<[JsonSchema]>([
  [invoice],
  [{ type: 'array', minItems: 2, items: { type: 'integer', minimum: 5 } }],
  [{ oneOf: [{ type: 'object', required: ['a'], properties: { a: { const: 'x' } } }, { type: 'null' }] }],
  [{ allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'boolean' } } }] }],
  [{ properties: { left: { $ref: '#' }, day: { type: 'string', format: 'date-time' } } }],
  [{ type: 'number', maximum: -3 }],
])('sampleOf() makes a value that fits %j', async (schema) => {
  expect(await failures(schema, sampleOf(schema))).toBe('')
})
