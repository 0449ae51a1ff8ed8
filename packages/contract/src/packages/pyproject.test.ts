import { expect, test } from 'vitest'
import { addToManifest, chooseManifest, readManifest, removeFromManifest } from './manifest.ts'

const resolved = [{ name: 'polars', version: '1.9.0', integrity: 'sha256-a', size: null }]
const add = (text: string, requirement: string) => addToManifest('pyproject.toml', text, { requirement, resolved })
const read = (text: string) => readManifest('pyproject.toml', text)

const project = `# the report
[build-system]
requires = ["hatchling"] # not of the project

[project]
name = "report"
description = """
[project]
dependencies = ["not-this"]
"""
dependencies = [
    "httpx[http2]>=0.27", # for the API
    'Pandas >= 2; python_version < "3.14"',
    # data
    "numpy"
]
[project.optional-dependencies]
dependencies = ["pytest"]

[[tool.uv.index]]
name = "x"
`

test('readManifest() reads dependencies of [project] and of no other table', () => {
  expect(read(project)).toEqual(['httpx[http2]>=0.27', 'Pandas >= 2; python_version < "3.14"', 'numpy'])
  expect(read('[tool.ruff]\nline-length = 120\n')).toEqual([])
  expect(read('project.dependencies = ["a @ https://example.com/a.whl", "b"]\n')).toEqual(['b'])
})

test('addToManifest() adds to the list of pyproject.toml and leaves the rest as it is', () => {
  const added = add(project, 'polars')
  expect(added).toBe(project.replace('    "numpy"\n', '    "numpy",\n    "polars>=1.9.0"\n'))
  expect(add(added, 'polars<2')).toBe(added.replace('"polars>=1.9.0"', '"polars<2"'))
  expect(add(project, 'pandas>=3')).toBe(project.replace(`'Pandas >= 2; python_version < "3.14"'`, '"pandas>=3"'))
  expect(removeFromManifest('pyproject.toml', added, 'polars')).toBe(project)
  expect(read(removeFromManifest('pyproject.toml', project, 'HTTPX'))).toEqual([
    'Pandas >= 2; python_version < "3.14"',
    'numpy',
  ])
  expect(add('[project]\ndependencies = [\n  "a", # why\n]\n', 'b>1')).toBe(
    '[project]\ndependencies = [\n  "a", # why\n  "b>1",\n]\n',
  )
})

test('addToManifest() writes lists of one line, empty ones and a missing one', () => {
  expect(add('[project]\ndependencies = ["a", "b"]\n', 'c>1')).toBe('[project]\ndependencies = ["a", "b", "c>1"]\n')
  expect(add('[project]\ndependencies = []\n', 'c>1')).toBe('[project]\ndependencies = ["c>1"]\n')
  expect(add('[project]\nname = "x"\n\n[tool.x]\na = 1\n', 'c>1')).toBe(
    '[project]\nname = "x"\ndependencies = [\n    "c>1",\n]\n\n[tool.x]\na = 1\n',
  )
  expect(add('project.name = "x"\n[tool.x]\n', 'c>1')).toBe(
    'project.name = "x"\nproject.dependencies = [\n    "c>1",\n]\n[tool.x]\n',
  )
  expect(removeFromManifest('pyproject.toml', '[project]\ndependencies = ["a", "b"]\n', 'b')).toBe(
    '[project]\ndependencies = ["a"]\n',
  )
  expect(removeFromManifest('pyproject.toml', '[project]\ndependencies = ["a", "b"]\n', 'a')).toBe(
    '[project]\ndependencies = ["b"]\n',
  )
})

test.each([
  ['[project]\ndependencies = ["a"', 'a list in it has no end'],
  ['[project]\nname = "x\n', 'a text in it has no end'],
  ['[project]\ndependencies = "a"\n', 'must be a list'],
  ['[project]\ndependencies = [1]\n', 'must be a list of texts'],
  ['[project]\nwhat is this\n', 'line 2 is not TOML'],
  ['[project]\ndynamic = ["dependencies"]\n', 'dependencies are dynamic'],
  ['project = { dependencies = ["a"] }\n', 'must be a table of its own'],
])('readManifest() says what is wrong with pyproject.toml: %j', (text, why) => {
  expect(() => read(text)).toThrow(`Cannot read pyproject.toml: `)
  expect(() => read(text)).toThrow(why)
})

test('chooseManifest() takes requirements.txt first, and pyproject.toml where it describes a project', () => {
  const choose = (files: Record<string, string>) => chooseManifest('python', (name) => files[name])
  expect(choose({})).toBe('requirements.txt')
  expect(choose({ 'pyproject.toml': project })).toBe('pyproject.toml')
  expect(choose({ 'pyproject.toml': project, 'requirements.txt': '' })).toBe('requirements.txt')
  expect(choose({ 'pyproject.toml': '[tool.ruff]\nline-length = 120\n' })).toBe('requirements.txt')
})
