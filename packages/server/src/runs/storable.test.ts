import { expect, test } from 'vitest'
import { storable } from './storable.ts'

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
