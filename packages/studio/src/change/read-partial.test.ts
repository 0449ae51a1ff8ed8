import { expect, test } from 'vitest'
import { readPartial } from './read-partial.ts'

test('readPartial() reads arguments at every letter of their way, and never more than was written', () => {
  const input = { path: 'a.py', content: 'print("ü\\n")\n\u00e9', more: [1, { deep: true }] }
  const text = JSON.stringify(input)
  for (let length = 0; length < text.length; length++) {
    const read = readPartial(text.slice(0, length)) as typeof input | undefined
    if (read?.content !== undefined) expect(input.content.startsWith(read.content)).toBe(true)
  }
  expect(readPartial(text)).toEqual(input)
  expect(readPartial('{"path": "a.py", "content": "pri')).toEqual({ path: 'a.py', content: 'pri' })
  expect(readPartial('{"path": "a.py", "cont')).toEqual({ path: 'a.py' })
  expect(readPartial('{"content": "a\\u00')).toEqual({ content: 'a' })
  expect(readPartial('')).toBeUndefined()
})
