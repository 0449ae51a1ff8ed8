import { expect, test } from 'vitest'
import { hintOf, titleOf, toolState } from './tool-words.ts'

test('a call is named in words, with the argument that says most', () => {
  expect(titleOf({ type: 'tool-read_file' })).toBe('Read file')
  expect(titleOf({ type: 'dynamic-tool', toolName: 'ask_reviewer' })).toBe('Ask reviewer')
  expect(hintOf({ type: 'tool-run_code', input: { language: 'python', code: '\nprint(1)\nprint(2)' } })).toBe(
    'print(1)',
  )
  expect(hintOf({ type: 'tool-list_files', input: null })).toBe('')
})

test('a call without an answer works while its turn does, and was stopped otherwise', () => {
  const open = { type: 'tool-bash', state: 'input-available' }
  const progress = { type: 'tool-bash', state: 'output-available', preliminary: true }
  expect([toolState(open, true), toolState(open, false), toolState(progress, true)]).toEqual([
    'working',
    'stopped',
    'working',
  ])
  expect(toolState({ ...progress, preliminary: false }, false)).toBe('done')
  const failed = { ...progress, preliminary: false, output: { text: '', error: { message: 'ValueError', line: 2 } } }
  expect(toolState(failed, false)).toBe('failed')
})

test('what cannot be seen in an argument stands as an escape', () => {
  const input = { path: 'report\u202Efdp.exe' }
  expect(hintOf({ type: 'tool-read_file', input })).toBe('report\\u202efdp.exe')
  expect(hintOf({ type: 'tool-bash', input: { command: 'ls\u200B' } })).toBe('ls\\u200b')
})
