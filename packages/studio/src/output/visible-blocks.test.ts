import { expect, test } from 'vitest'
import { estimateHeight, visibleBlocks } from './visible-blocks.ts'

const many = Array.from({ length: 500 }, () => 2000)

test('only what is in sight and a little around it is drawn', () => {
  expect(visibleBlocks(many, { top: 500_000, height: 600 })).toEqual({
    first: 249,
    end: 251,
    before: 498_000,
    after: 498_000,
  })
})

test('the room of what is left out always adds up', () => {
  const heights = Array.from({ length: 200 }, (_, index) => (index * 37) % 900)
  const total = heights.reduce((sum, own) => sum + own, 0)
  for (let top = -100; top < total + 5000; top += 333) {
    const { first, end, before, after } = visibleBlocks(heights, { top, height: 700 })
    const shown = heights.slice(first, end).reduce((sum, own) => sum + own, 0)
    expect(before + shown + after).toBe(total)
  }
})

test('a short output is drawn whole, and none is none', () => {
  expect(visibleBlocks([100, 50], { top: 0, height: 600 })).toEqual({ first: 0, end: 2, before: 0, after: 0 })
  expect(visibleBlocks([], { top: 0, height: 600 })).toEqual({ first: 0, end: 0, before: 0, after: 0 })
})

test('long lines are expected to wrap', () => {
  expect(estimateHeight([{ length: 0 }, { length: 80 }, { length: 81 }], 80)).toBe(80)
})
