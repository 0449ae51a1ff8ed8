import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

test('arguments are a JSON object and nothing else', () => {
  expect(readArguments('{"path": "a"}')).toEqual({ input: { path: 'a' } })
  for (const text of ['[1]', 'null', '"text"', '']) expect(readArguments(text).problem).toBeTypeOf('string')
})
