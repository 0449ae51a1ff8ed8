import { expect, test } from 'vitest'
import { readInlineMetadata } from './read-inline-metadata.ts'
import { readPyproject } from './read-pyproject.ts'
import { readRequirementsFile } from './read-requirements-file.ts'

test('readInlineMetadata() reads the dependencies of a script', () => {
  const code =
    '#!/usr/bin/env python3\n# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n#   "requests<3",\n#\n#   "Rich",\n# ]\n# ///\n\nimport requests\n'
  expect(readInlineMetadata(code)).toEqual({
    requirements: ['requests<3', 'rich'],
    ignored: [],
    requiresPython: '>=3.11',
  })
  expect(readInlineMetadata(code.replaceAll('\n', '\r\n'))?.requirements).toEqual(['requests<3', 'rich'])
})

test('readInlineMetadata() is undefined for a script without a block', () => {
  expect(readInlineMetadata('print("# /// script")\n')).toBeUndefined()
  expect(readInlineMetadata(`${'# /// scrip\n'.repeat(100_000)}`)).toBeUndefined()
})

test('readInlineMetadata() names what is wrong in a block', () => {
  expect(() => readInlineMetadata('# /// script\n# dependencies = []\nprint(1)')).toThrow('has no closing line')
  expect(() => readInlineMetadata('# /// script\n# dependencies = [\n# ///')).toThrow('line ')
  expect(() => readInlineMetadata('# /// script\n# ///\n\n# /// script\n# ///')).toThrow('several blocks')
  expect(() => readInlineMetadata('# /// script\n# dependencies = "six"\n# ///')).toThrow('must be a list')
})

test('readInlineMetadata() leaves addresses aside', () => {
  const code = '# /// script\n# dependencies = ["six", "evil @ file:///etc/passwd", "--index-url=http://x/"]\n# ///\n'
  expect(readInlineMetadata(code)).toEqual({
    requirements: ['six'],
    ignored: ['evil @ file:///etc/passwd', '--index-url=http://x/'],
  })
})

test('readRequirementsFile() takes names with versions and leaves options, addresses and files aside', () => {
  const text = `# the usual
polars >= 1, <2   # tables
--index-url http://evil/simple
-r other.txt
-e .
six @ file:///etc/passwd
git+https://x/y.git
./local.whl
Scikit_Learn[plot,ML]==1.5.* ; python_version >= "3.9"
requests==2.31.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
`
  expect(readRequirementsFile(text)).toEqual({
    requirements: ['polars>=1,<2', 'scikit-learn[ml,plot]==1.5.* ; python_version >= "3.9"', 'requests==2.31.0'],
    ignored: [
      '--index-url http://evil/simple',
      '-r other.txt',
      '-e .',
      'six @ file:///etc/passwd',
      'git+https://x/y.git',
      './local.whl',
    ],
  })
})

test('readPyproject() reads [project].dependencies', () => {
  expect(readPyproject('[project]\nname = "a"\nrequires-python = ">=3.10"\ndependencies = ["httpx>=0.27"]\n')).toEqual({
    requirements: ['httpx>=0.27'],
    ignored: [],
    requiresPython: '>=3.10',
  })
  expect(readPyproject('[tool.black]\nline-length = 100\n')).toBeUndefined()
  expect(() => readPyproject('[project\n')).toThrow('pyproject.toml')
})
