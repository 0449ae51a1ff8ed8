import { expect, test } from 'vitest'
import { chooseEncoding } from './compress-answers.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0', undefined],
  ['gzip;q=0.5, br;q=0.1', 'br'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['brr, xgzip', undefined],
])('a client that takes %s gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})
