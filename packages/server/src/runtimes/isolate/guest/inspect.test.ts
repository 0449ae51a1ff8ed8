import * as util from 'node:util'
import { describe, expect, test } from 'vitest'
import { format } from './format.ts'
import { inspect } from './inspect.ts'

const range = (length: number) => Array.from({ length }, (_, at) => at)

describe('inspect() lays values out as Node does', () => {
  test.each<[string, unknown]>([
    ['more than a hundred numbers', range(120)],
    ['a hundred and one of the same', Array(101).fill(0)],
    ['numbers of different length', range(7).map((at) => at * 1000)],
    ['decimals', [1.5, 2.25, 100, 3, 4, 5, 6, 7]],
    ['words', ['a', 'bb', 'ccc', 'dddd', 'e', 'f', 'g', 'h']],
    ['words and numbers', range(10).map((at) => (at % 2 ? 'abc' : 1.25))],
    ['thirty names', range(30).map((at) => `item${at}`)],
    ['wide characters', ['あいう', '漢字漢字', 'ab', 'c', 'd', 'e', 'f']],
    ['small objects', Array(8).fill({ a: 1 })],
    ['three levels', { d: new Date(0), r: /x/, e: [new Map([[1, { a: { b: 1 } }]])] }],
    ['many keys', Object.fromEntries(range(30).map((at) => [`key${at}`, at]))],
    ['what just fits and what does not', [{ a: 'x'.repeat(52) }, { b: 'x'.repeat(53) }, { c: 'x'.repeat(62) }]],
    ['a long text of several lines', { a: 'line1\nline2'.repeat(20) }],
    ['a set of many', new Set(range(150))],
    ['a key that is a symbol', { [Symbol('s')]: 4 }],
    ['bytes', new ArrayBuffer(4)],
    ['a view of bytes', new DataView(new ArrayBuffer(2))],
    ['a map of a class of its own', new (class Scores extends Map<number, number> {})([[1, 2]])],
    ['a set of a class of its own', new (class Names extends Set<string> {})(['a'])],
    ['numbers of a class of its own', new (class Row extends Uint8Array {})(2)],
    ['characters that are joined', ['é', '日本', '👍', '👨‍👩‍👧', 'ñ', 'ü', 'ß', '→', 'x', 'e\u0301', '❤️']],
    ['a key named __proto__', JSON.parse('{"__proto__":1}')],
    ['what Intl makes', [new Intl.NumberFormat('en'), new Intl.PluralRules('en')]],
    ['half a character', ['\ud83d', 'a\ude00b', '😀']],
    ['boxed values', [Object(Symbol('a')), Object(1n), Object('s')]],
    ['a function with properties', Object.assign(() => {}, { a: 1 })],
  ])('%s', (_, value) => {
    expect(inspect(value)).toBe(util.inspect(value))
  })

  test.each<[string, () => Error]>([
    ['by itself', () => new Error('x')],
    ['with properties', () => Object.assign(new Error('x'), { code: 'E_X', n: 1 })],
    ['with a cause', () => new Error('x', { cause: new TypeError('y', { cause: 'z' }) })],
    ['of several errors', () => new AggregateError([new Error('a'), 5], 'all')],
    ['of a class', () => new (class ValidationError extends Error {})('x')],
    ['of a class with another name', () => new (class Broken extends TypeError {})('x')],
    ['with a cause and properties', () => Object.assign(new Error('x', { cause: 1 }), { code: 'E_X' })],
  ])('an error %s, at the top and inside', (_, make) => {
    // Node puts brackets around an error without frames, and knows its own frames from others
    const withFrame = (error: unknown): void => {
      if (!(error instanceof Error)) return
      error.stack = `${error.name}: ${error.message}\n    at main.js:1:2\n    at f (main.js:3:4)`
      withFrame(error.cause)
      if (error instanceof AggregateError) error.errors.forEach(withFrame)
    }
    const error = make()
    withFrame(error)
    expect(inspect(error)).toBe(util.inspect(error))
    expect(inspect({ list: [error] })).toBe(util.inspect({ list: [error] }))
  })

  test.each<unknown[][]>([
    [['%s', -0]],
    [['%d', -0]],
    [['%s', { toString: () => 'own' }]],
    [['%s', Object.create({ toString: () => 'inherited' })]],
    [['%s', new Date(0)]],
    [['%s', [1, [2, [3]]]]],
    [['%j', undefined]],
    [['%j', { a: 1 }]],
    [['%o', { list: [1], run: () => 1 }]],
  ])('format(...%j)', (args) => {
    expect(format(args)).toBe(util.format(...args))
  })
})
