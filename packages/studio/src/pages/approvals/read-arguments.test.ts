import { expect, test } from 'vitest'
import { readArguments, writeArguments } from './read-arguments.ts'

test('arguments are a JSON object and nothing else', () => {
  expect(readArguments('{"path": "a"}')).toEqual({ input: { path: 'a' } })
  for (const text of ['[1]', 'null', '"text"', '']) expect(readArguments(text).problem).toBeTypeOf('string')
})

test('nothing in arguments to be changed is invisible, and all of it is read back as it was', () => {
  const input = { command: 'echo hi\u202E\u200B\u00A0\u{E0041}\u007F\n\tdone ü 😀', 'na\u200Dme': [1, null] }
  const text = writeArguments(input)
  expect(text).toBe(
    [
      '{',
      String.raw`  "command": "echo hi\u202e\u200b\u00a0\udb40\udc41\u007f\n\tdone ü 😀",`,
      String.raw`  "na\u200dme": [`,
      '    1,',
      '    null',
      '  ]',
      '}',
    ].join('\n'),
  )
  expect(readArguments(text)).toEqual({ input })
})
