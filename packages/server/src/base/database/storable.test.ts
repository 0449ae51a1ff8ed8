import { expect, test } from 'vitest'
import { storable, storableJson } from './storable.ts'

test('storable() replaces what PostgreSQL cannot keep, at any depth and in keys', () => {
  expect(storable({ 'a\0': ['x\0y', '\ud800', { deep: '\udc00!' }], ok: 'ünï💚' })).toEqual({
    'a\ufffd': ['x\ufffdy', '\ufffd', { deep: '\ufffd!' }],
    ok: 'ünï💚',
  })
})

test('storable() keeps "__proto__" as a plain key', () => {
  const value = storable(JSON.parse('{"__proto__":{"admin":true}}') as object)
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true}}')
})

test('storableJson() is the JSON of what storable() gives', () => {
  for (const value of ['a\0b', '\ud800', 'x\udfff', '\\u0000', { 'k\0': 1 }, ['💚', null, 1.5]]) {
    expect(storableJson(value)).toBe(JSON.stringify(storable(value)))
  }
  expect(storableJson({ at: new Date(0), text: '\0' })).toBe('{"at":"1970-01-01T00:00:00.000Z","text":"\ufffd"}')
})
