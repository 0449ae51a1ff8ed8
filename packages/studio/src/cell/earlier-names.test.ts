import { expect, test } from 'vitest'
import { earlierNames } from './earlier-names.ts'

test('earlierNames() finds names of the cells before that Python code uses', () => {
  const before = [
    'import pandas as pd\nfrom math import sqrt, pi',
    'df, total = 1, 2\nrate: float = 3\ndef load(): ...',
  ]
  expect(earlierNames('pd.DataFrame(df).sum() * rate', before)).toEqual(['pd', 'df', 'rate'])
  expect(earlierNames('total = 3\n"df" + x.load # sqrt', before)).toEqual([])
  expect(earlierNames('sqrt(pi)', before)).toEqual(['sqrt', 'pi'])
})

test('earlierNames() finds names of the cells before that JavaScript code uses', () => {
  const before = ["import data from './data.js'\nconst { a, b: c } = data", 'async function load() {}\nlet n = 1']
  expect(earlierNames('load(c, n) // a', before)).toEqual(['c', 'load', 'n'])
  expect(earlierNames('const n = 2; n + 1', before)).toEqual([])
})
