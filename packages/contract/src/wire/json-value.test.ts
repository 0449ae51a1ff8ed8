import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonValue } from './json-value.ts'
import { namedRecord } from './named-record.ts'

test('jsonValue keeps every key, and takes nothing that JSON cannot say', () => {
  const text = '{"__proto__":{"a":[1,null,true,"x"]},"constructor":{"__proto__":1}}'
  expect(JSON.stringify(jsonValue.parse(JSON.parse(text)))).toBe(text)
  for (const value of [undefined, Number.NaN, Infinity, 1n, () => 1, Symbol('a'), [undefined], { a: Infinity }])
    expect(jsonValue.safeParse(value).success).toBe(false)
})

test('namedRecord() refuses "__proto__" by its path, and describes itself as a record does', () => {
  const record = namedRecord(z.string().regex(/^\w+$/), z.string())
  expect(record.parse({ constructor: 'a', b: 'c' })).toEqual({ constructor: 'a', b: 'c' })
  expect(record.safeParse(JSON.parse('{"a":"1","__proto__":"2"}')).error?.issues).toMatchObject([
    { path: ['__proto__'] },
  ])
  expect(record.safeParse({ 'a b': '' }).error?.issues).toMatchObject([{ code: 'invalid_key', path: ['a b'] }])
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))
  // one word about all of them, not one about each
  expect(record.safeParse(many(1_001)).error?.issues).toMatchObject([
    { path: [], message: 'must not have more than 1000 entries' },
  ])
  expect(record.safeParse(many(1_000)).error?.issues).toHaveLength(1_000)
  for (const value of [null, [], 'a']) expect(record.safeParse(value).success).toBe(false)
  expect(z.toJSONSchema(record, { io: 'input' })).toMatchObject({
    type: 'object',
    additionalProperties: { type: 'string' },
  })
})
