import { expect, test } from 'vitest'
import { NeedsPackage, readBlock } from './read-block.ts'

test.each([
  ['const a = 1, { b } = x; a', 'var a = 1, { b } = x; a'],
  ['class A {}', 'var A = class A {};'],
  ['export function f() {}', 'function f() {}'],
  ['if (x) { const y = 1 }', 'if (x) { const y = 1 }'],
  ['const f = async () => await 1', 'var f = async () => await 1'],
])('readBlock(%j) is a script whose declarations stay', (given, code) => {
  expect(readBlock(given, false)).toMatchObject({ code, isAsync: false })
})

test('readBlock() makes one that awaits an async function, on the same lines', () => {
  const { code, isAsync, hasValue } = readBlock('const [a] = await x\nfunction f() {}\na + 1', false)
  expect({ code, isAsync, hasValue }).toEqual({
    code: 'var a, f; (async () => { globalThis.f = f; void ( [a] = await x)\nfunction f() {}\nreturn (a + 1)\n})()',
    isAsync: true,
    hasValue: true,
  })
})

test('readBlock() takes types away and keeps the lines', () => {
  expect(readBlock('type A = 1\nconst a: A = 1\na', true).code.split('\n')[1]).toMatch(/^var a\s*= 1$/)
})

test('readBlock() refuses an import with the name of the package', () => {
  expect(() => readBlock('import _ from "lodash"', false)).toThrow(NeedsPackage)
})
