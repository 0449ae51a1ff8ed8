import { expect, test } from 'vitest'
import { nextRow } from './table-keys.ts'

test('arrows and j, k move by one row and stop at the ends', () => {
  expect([nextRow('ArrowDown', 0, 3), nextRow('j', 2, 3), nextRow('ArrowUp', 2, 3), nextRow('k', 0, 3)]).toEqual([
    1, 2, 1, 0,
  ])
})

test('Home and End jump', () => {
  expect([nextRow('Home', 2, 3), nextRow('End', 0, 3)]).toEqual([0, 2])
})

test('other keys are left to the browser', () => {
  expect(nextRow('a', 0, 3)).toBeUndefined()
})
