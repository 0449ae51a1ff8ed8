import { expect, test } from 'vitest'
import { findGivenParameters } from './given-parameters.ts'

/** Whether the first place of `name` is one. */
function isGiven(code: string, name: string): boolean {
  const before = code.slice(0, code.indexOf(name)).split('\n')
  return findGivenParameters(code)({ line: before.length, column: (before.at(-1) ?? '').length + 1 })
}

test.each([
  ['export default async (env, input: { n: number }) => input.n', 'env'],
  ['export default env => env', 'env'],
  ['export default async env => env', 'env'],
  ['export default ({ FILES }, n) => FILES', 'FILES'],
  ['const a = 1\r\n\r\nexport default async function main(env, { n }) {}', 'n }'],
  ['export default function (env) {}', 'env'],
  ['export default (\n  env,\n  given: (n: number) => number,\n) => given(1)', 'env'],
])('%j is called by the host, which hands over %s', (code, name) => expect(isGiven(code, name)).toBe(true))

test.each([
  ['const twice = (value) => value * 2\nexport default () => twice(1)', 'value'],
  ['export const twice = (value) => value * 2', 'value'],
  ['export default () => [1].map((value) => value)', 'value'],
  ['export default (env) => { const f = (value) => value; return f(env) }', 'value'],
])('%j calls itself what takes %s', (code, name) => expect(isGiven(code, name)).toBe(false))

test('findGivenParameters() reads a text of a stranger once, whatever is in it and however many places are asked for', () => {
  const blanks = ' '.repeat(200_000)
  const texts = [
    `export default function${blanks}`,
    `export default async ${blanks}a${blanks}`,
    `export${blanks}default${blanks}`,
    `export default ${'a'.repeat(200_000)}${blanks}`,
    'export default (a'.repeat(30_000),
    '\n'.repeat(500_000) + 'export default (a) => a',
  ]
  const began = performance.now()
  for (const text of texts) {
    const isGivenParameter = findGivenParameters(text)
    for (let line = 1; line <= 5000; line++) isGivenParameter({ line, column: 9 })
  }
  // with a blank counted twice, or the text read for each place, minutes
  expect(performance.now() - began).toBeLessThan(6000)
})
