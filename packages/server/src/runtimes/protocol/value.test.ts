import { expect, test } from 'vitest'
import { fromWire, toWire } from './value.ts'

const crossed = (value: unknown) => fromWire(JSON.parse(JSON.stringify(toWire(value))))

test('[protocol.4] structured-clone data crosses the pipe unchanged', () => {
  const value = {
    text: 'zß水🍌',
    bytes: new Uint8Array([0, 255, 10]),
    date: new Date(1_700_000_000_000),
    big: 12345678901234567890n,
    numbers: [Number.NaN, Infinity, -Infinity, -0, 1.5],
    nothing: null,
    missing: [undefined],
    map: new Map<unknown, unknown>([[1, new Set(['a'])]]),
    $: 'a key of its own',
  }
  expect(crossed(value)).toEqual(value)
})

test('[protocol.4] __proto__ is a key like any other', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":true}}')
  const back = crossed(value) as Record<string, unknown>
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
  expect(Object.keys(back)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('[protocol.4] cycles, functions and unknown tags are refused', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  expect(() => toWire(cycle)).toThrow(/contains itself/)
  expect(() => toWire(() => 1)).toThrow(/function/)
  expect(() => fromWire({ $: 'process', v: '1' })).toThrow(/unknown tag/)
  expect(() => fromWire({ $: 'bigint', v: '9'.repeat(5000) })).toThrow(/unknown tag/)
})
