import { expect, test } from 'vitest'
import { parseDiff } from './parse-diff.ts'
import { diffOfEdit, readCall } from './read-call.ts'

test('readCall() takes code out of the arguments and keeps everything else by name', () => {
  expect(readCall('bash', { command: 'ls', timeoutMs: 5 })).toEqual({
    code: { text: 'ls', language: 'bash' },
    fields: [['timeoutMs', 5]],
  })
  expect(readCall('run_code', { language: 'python', code: 'x' })).toEqual({
    code: { text: 'x', language: 'python' },
    fields: [['language', 'python']],
  })
  expect(readCall('write_file', { path: 'a/b.ts', content: '1' })).toEqual({
    code: { text: '1', language: 'ts', title: 'a/b.ts' },
    fields: [],
  })
  expect(readCall('x', { a: [1], code: 2 })).toEqual({
    fields: [
      ['a', [1]],
      ['code', 2],
    ],
  })
  expect(readCall('x', 'words')).toEqual({ fields: [['input', 'words']] })
})

test('diffOfEdit() shows a replaced piece with the lines around it that stay', () => {
  const diff = diffOfEdit({ path: 'a', search: 'one\ntwo\nthree', replace: 'one\n2\n2b\nthree' })
  expect(parseDiff(diff).map(({ kind }) => kind)).toEqual(['context', 'removed', 'added', 'added', 'context'])
})
