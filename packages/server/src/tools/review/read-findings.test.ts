import { expect, test } from 'vitest'
import { readFindings } from './read-findings.ts'

const paths = new Set(['main.py'])

test('readFindings() takes the findings out of what a model says around them', () => {
  const text =
    'Here they are:\n```json\n{"findings":[{"file":"main.py","line":3,"note":"It divides by zero"}]}\n```\nBye'
  expect(readFindings(text, paths)).toEqual([{ file: 'main.py', line: 3, note: 'It divides by zero' }])
})

test('readFindings() forgets files that are not there, cuts what is long and bounds how many there are', () => {
  const many = Array.from({ length: 300 }, () => ({ file: '../etc/passwd', line: 9, note: `\0${'x'.repeat(9_000)}` }))
  const found = readFindings(JSON.stringify(many), paths)
  expect(found).toHaveLength(100)
  expect(found?.[0]).toEqual({ file: null, line: null, note: 'x'.repeat(4_000) })
})

test.each(['', 'no', '{"findings":1}', '[{"note":""}]', '{"findings":[{"note":"a","line":-1}]}'])(
  'readFindings() says nothing of %j',
  (text) => expect(readFindings(text, paths)).toBeUndefined(),
)
