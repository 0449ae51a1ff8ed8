import { expect, test } from 'vitest'
import { inspect, toJson } from './inspect.ts'

const circle: { self?: unknown } = {}
circle.self = circle

test.each([
  ['text', 'text'],
  [['text', 1n, -0, null], '["text", 1n, -0, null]'],
  [{ a: { b: [1] }, 'c-d': undefined }, '{ a: { b: [1] }, "c-d": undefined }'],
  [new Map([[1, new Set(['x'])]]), 'Map(1) { 1 => Set(1) { "x" } }'],
  [circle, '{ self: [Circular] }'],
  [new Uint8Array([1, 2]), 'Uint8Array(2) [1, 2]'],
  [[[[[[1]]]]], '[[[[[…]]]]]'],
])('inspect(%o)', (value, text) => {
  expect(inspect(value)).toBe(text)
})

test('inspect() survives what a hostile object does, and is bounded', () => {
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no')
      },
    },
  )
  expect(inspect(trap)).toContain('cannot be shown')
  expect(inspect(Array.from({ length: 100_000 }, (_, at) => at))).toContain('… 99900 more')
  expect(inspect('x'.repeat(100_000))).toHaveLength(10_000)
})

test('toJson() keeps what JSON can say', () => {
  expect(toJson({ a: [1] })).toEqual({ a: [1] })
  expect(toJson(circle)).toBeUndefined()
  expect(toJson(() => 1)).toBeUndefined()
  expect(toJson('x'.repeat(200_000))).toBeUndefined()
})
