import { expect, test } from 'vitest'
import { hasCells, partToRun } from './run-part.ts'

const text = 'import os\n# %% first\na = 1\nb = 2\n  # %%\nprint(a)'

test('partToRun() cuts the cell of a line, at its own lines, and knows where the next begins', () => {
  expect(partToRun(text, 1, undefined)).toEqual({ code: 'import os\n', last: 1, next: 2 })
  expect(partToRun(text, 4, undefined)).toEqual({ code: '\n# %% first\na = 1\nb = 2\n', last: 4, next: 5 })
  expect(partToRun(text, 6, undefined)).toEqual({ code: '\n\n\n\n  # %%\nprint(a)\n', last: 6, next: undefined })
})

test('partToRun() runs whole lines of what is selected, and nothing less than the file without cells', () => {
  expect(partToRun(text, 3, { from: 3, to: 4 })).toEqual({ code: '\n\na = 1\nb = 2\n', last: 4, next: undefined })
  expect(partToRun('a = 1\n\n\n', 1, { from: 1, to: 4 })?.last).toBe(1)
  expect(partToRun('a = 1\n# 5 %% of it\n', 1, undefined)).toBeUndefined()
  expect([hasCells(text), hasCells('// %%\nlet a'), hasCells('a %% b')]).toEqual([true, true, false])
})
