import { expect, test } from 'vitest'
import { toToolName, whyNotToolName } from './tool-name.ts'

test('toToolName() makes a name that a tool may have of a path, or none', () => {
  expect(
    ['lib/load_data.py', 'Invoice Total.v2.ts', '2024/', '2-sums.js', '...', 'tools/greet'].map(toToolName),
  ).toEqual(['load-data', 'invoice-total-v2', '', 'sums', '', 'greet'])
})

test('whyNotToolName() takes what the server takes', () => {
  expect(['greet', 'a1-b2', 'Greet', 'a--b', '-a', 'a-', '', '1a'].filter((name) => !whyNotToolName(name))).toEqual([
    'greet',
    'a1-b2',
  ])
})
