import { expect, test } from 'vitest'
import { countOf, formatDollars, formatMegabytes } from './quantity.ts'

test('one thing is singular, none and many are plural', () => {
  expect([countOf(0, 'member'), countOf(1, 'member'), countOf(1200, 'key')]).toEqual([
    '0 members',
    '1 member',
    '1,200 keys',
  ])
})

test('storage is in the unit that reads best', () => {
  expect([formatMegabytes(0.26), formatMegabytes(512), formatMegabytes(10_240)]).toEqual(['0.3 MB', '512 MB', '10 GB'])
})

test('dollars show cents only where there are some', () => {
  expect([formatDollars(100), formatDollars(3.5)]).toEqual(['$100', '$3.50'])
})
