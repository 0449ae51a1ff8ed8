import { describe, expect, test } from 'vitest'
import { refuseJson } from '../../base/index.ts'
import { encodeFrame } from './frame.ts'
import { refuseValues } from './refuse-values.ts'
import { toWire } from './value.ts'

const nested = (depth: number, wrap: (inner: unknown) => unknown, inner: unknown = 1) => {
  let value = inner
  for (let at = 0; at < depth; at++) value = wrap(value)
  return value
}
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))

/** What the guest says of a call, and what the host would. */
function verdicts(argument: unknown): [string | undefined, string | undefined] {
  const args = toWire([argument])
  const frame = encodeFrame({ type: 'call', id: 2 ** 40, capability: 'FILES', method: 'write', args })
  return [refuseValues(args), refuseJson(frame.subarray(4))]
}

describe('[protocol.2] a call that the host would not read', () => {
  test.each<[string, unknown]>([
    ['have more than 999990 parts', Array(1_000_001).fill(1)],
    ['have more than 999990 parts', Array(999_990).fill('')],
    ['have more than 999990 parts', Array(500_000).fill([1])],
    ['have more than 999990 parts', Array(600_000).fill([])],
    ['have more than 999990 parts', Array(600_000).fill({})],
    ['have more than 19990 different keys', keys(20_001)],
    ['have more than 499990 keys, wide objects counted 5 times', Array(101).fill(keys(1_000))],
    ['have more than 499990 keys, wide objects counted 5 times', Array(51_000).fill(keys(10))],
    ['have more than 7999000 characters outside of strings', Array(450_000).fill(0.1234567890123456)],
    ['are nested more than 199 deep', nested(199, (inner) => [inner])],
    ['are nested more than 199 deep', nested(199, (inner) => [inner], [])],
    ['are nested more than 199 deep', nested(199, (inner) => ({ inner }))],
    ['are nested more than 199 deep', nested(100, (inner) => new Set([inner]))],
    ['are nested more than 199 deep', nested(67, (inner) => new Map([[1, inner]]))],
  ])('is refused in the guest, case %#: its arguments %s', (refusal, argument) => {
    expect(verdicts(argument)[0]).toBe(refusal)
  })

  test.each<[string, unknown]>([
    ['numbers', Array(999_980).fill(1)],
    ['lists', Array(499_980).fill([1])],
    ['records', Array(450_000).fill({ a: 1 })],
    ['keys', keys(19_980)],
    ['wide records', Array(99).fill(keys(1_000))],
    ['digits', Array(410_000).fill(0.1234567890123456)],
    ['flags', Array(990_000).fill(false)],
    ['a long text', '[{,:'.repeat(3_000_000)],
    ['a depth', nested(198, (inner) => [inner])],
    ['a depth of records', nested(198, (inner) => ({ inner }))],
    ['a depth of sets', nested(99, (inner) => new Set([inner]))],
  ])('is none with as much as it reads: %s', (_, argument) => {
    expect(verdicts(argument)).toEqual([undefined, undefined])
  })
})
