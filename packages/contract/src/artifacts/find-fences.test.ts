import { expect, test } from 'vitest'
import { findFences, kindOfFence } from './find-fences.ts'

test('findFences() counts closed fences over all texts, and tells those that can be run or shown', () => {
  const texts = [
    'Look:\n\n```js title="Sum" run\n1 + 1\n```\n\n~~~\nplain\n~~~\n',
    '- in a list:\n  ```py\n  if x:\n    y\n  ```\n> ```html\n> <b>\n> ```\n````md\n```js\ninner\n```\n````\n```js\nopen',
  ]
  expect(findFences(texts)).toEqual([
    { index: 0, kind: 'code', language: 'javascript', title: 'Sum', opens: true, code: '1 + 1' },
    { index: 2, kind: 'code', language: 'python', title: null, opens: false, code: 'if x:\n  y' },
    { index: 3, kind: 'html', language: 'html', title: null, opens: false, code: '<b>' },
    { index: 4, kind: 'markdown', language: 'md', title: null, opens: false, code: '```js\ninner\n```' },
  ])
})

test('findFences() reads a comment after the language as title, and opens the block', () => {
  const [fence] = findFences(['```python <!-- executable: Load data -->\nx\n```'])
  expect(fence).toMatchObject({ language: 'python', title: 'Load data', opens: true })
})

test('findFences() of a long text without fences is quick', () => {
  const began = performance.now()
  expect(findFences([`${'> '.repeat(100_000)}\n${' '.repeat(100_000)}\n${'`'.repeat(100_000)}`])).toEqual([])
  expect(performance.now() - began).toBeLessThan(500)
})

test.each([
  ['TS', 'code', 'typescript'],
  ['sh', 'code', 'bash'],
  ['c++', 'code', 'cpp'],
  ['vega-lite', 'vega', 'vega-lite'],
])('kindOfFence(%s) is %s of %s', (word, kind, language) => {
  expect(kindOfFence(word)).toEqual({ kind, language })
})

test.each(['text', 'wasm', 'constructor', '', 'output'])('kindOfFence(%j) is only text', (word) => {
  expect(kindOfFence(word)).toBeUndefined()
})
