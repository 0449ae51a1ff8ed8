import { expect, test } from 'vitest'
import { fromGivenFiles } from '../definition/folder.ts'
import { parseTool } from './parse-tool.ts'

const yaml = `kind: tool
name: add
description: Adds two numbers
language: python
input: { type: object, required: [a, b], properties: { a: { type: number }, b: { type: number } } }
tests:
  - { name: small, input: { a: 1, b: 2 }, output: 3 }
`
const parse = (files: Record<string, string>) => parseTool(fromGivenFiles(files))

test('a tool is read from its folder', () => {
  const { definition, problems } = parse({ 'tool.yaml': yaml, 'main.py': 'def main(input): ...' })
  expect(problems).toEqual([])
  expect(definition).toMatchObject({ name: 'add', language: 'python', output: 'code' })
})

test.each<[string, Record<string, string>, string, string]>([
  ['without tool.yaml', { 'main.py': '' }, 'tool.yaml', 'is missing'],
  ['with a file named like a module', { 'tool.yaml': yaml, 'main.py': '', 'json.py': '' }, 'json.py', 'json'],
  [
    'with a folder named like a module',
    { 'tool.yaml': yaml, 'main.py': '', 'os/__init__.py': '' },
    'os/__init__.py',
    'os',
  ],
  ['without its entry', { 'tool.yaml': yaml }, 'main.py', 'is missing'],
  ['with a path that leads outside', { 'tool.yaml': yaml, '../main.py': '' }, '../main.py', 'not a path below'],
  ['with a field that there is not', { 'tool.yaml': `${yaml}colour: red\n`, 'main.py': '' }, 'tool.yaml', 'colour'],
  [
    'with a test that says nothing',
    { 'tool.yaml': yaml.replace(', output: 3', ''), 'main.py': '' },
    'tool.yaml',
    'needs an output to compare with, or a check',
  ],
])('a folder %s is no tool', (_, files, file, message) => {
  expect(parse(files).problems).toEqual([expect.objectContaining({ file, message: expect.stringContaining(message) })])
})
