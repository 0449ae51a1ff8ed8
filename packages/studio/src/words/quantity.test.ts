import { expect, test } from 'vitest'
import { formatDollars, formatMegabytes, formatNumber } from './quantity.ts'

test('large numbers have separators and small ones at most two digits after the point', () => {
  expect([formatNumber(1200), formatNumber(0.126)]).toEqual(['1,200', '0.13'])
})

test('storage is in the unit that reads best', () => {
  expect([formatMegabytes(0.26), formatMegabytes(512), formatMegabytes(10_240)]).toEqual(['0.3 MB', '512 MB', '10 GB'])
})

test('dollars show cents only where there are some', () => {
  expect([formatDollars(100), formatDollars(3.5)]).toEqual(['$100', '$3.50'])
})
