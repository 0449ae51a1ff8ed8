import { expect, test } from 'vitest'
import { formatterOf } from './formatter-of.ts'

test('a file is formatted by its extension, in capitals too', () => {
  expect(formatterOf('src/Main.PY')).toEqual({ name: 'ruff' })
  expect(formatterOf('a.test.tsx')).toEqual({ name: 'prettier', parser: 'typescript' })
  expect(formatterOf('tool.yml')).toEqual({ name: 'prettier', parser: 'yaml' })
  expect(['Makefile', 'a.sql', 'a.constructor', 'yaml'].map(formatterOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
