import { expect, test } from 'vitest'
import { isGivenParameter } from './given-parameters.ts'

/** Whether the first place of `name` is one. */
function isGiven(code: string, name: string): boolean {
  const before = code.slice(0, code.indexOf(name)).split('\n')
  return isGivenParameter(code, { line: before.length, column: (before.at(-1) ?? '').length + 1 })
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
