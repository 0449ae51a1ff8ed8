import { defaultPackagePolicy } from '@coherex/contract'
import { expect, test } from 'vitest'
import { narrow, refusalOf } from './check-policy.ts'
import { parseRequirement } from './requirement.ts'
import { isWithin } from './version-range.ts'

test.each([
  ['javascript', '1.39.2', '1', true],
  ['javascript', '2.0.0', '1', false],
  ['javascript', '2.0.0-beta.1', '^1', false],
  ['javascript', '0.3.1', '^0.3', true],
  ['javascript', '0.4.0', '^0.3', false],
  ['javascript', '1.2.9', '~1.2.3', true],
  ['javascript', '1.3.0', '~1.2.3', false],
  ['javascript', '3.1.0', '1.x || >=3 <4', true],
  ['javascript', '1.9.0', '<=1', true],
  ['javascript', '1.2.3', 'latest', false],
  ['python', '1.2.0', '>=1,<2', true],
  ['python', '2.0', '>=1,<2', false],
  ['python', '1.4.7', '~=1.4', true],
  ['python', '2.0', '~=1.4', false],
  ['python', '1.4.2', '==1.4.*', true],
  ['python', '2.0rc1', '>=2', false],
  ['python', '1.0.post1', '>=1.0', true],
  ['python', '1.0', '!=1.0', false],
] as const)('isWithin() of %s: %s and %s is %s', (language, version, range, expected) => {
  expect(isWithin(language, version, range)).toBe(expected)
})

test.each([
  ['javascript', ' npm:es-toolkit@^1.2 ', { name: 'es-toolkit', range: '^1.2', text: 'es-toolkit@^1.2' }],
  ['javascript', '@types/node', { name: '@types/node', range: '', text: '@types/node' }],
  ['python', 'Foo.Bar_baz[x, y] >= 1, < 2', { name: 'foo-bar-baz', range: '>=1,<2', text: 'foo-bar-baz[x,y]>=1,<2' }],
  ['python', 'idna ; python_version < "3.9"', { name: 'idna', range: '', text: 'idna ; python_version < "3.9"' }],
] as const)('parseRequirement() of %s reads %s', (language, text, expected) => {
  expect(parseRequirement(language, text)).toEqual(expected)
})

test.each([
  ['python', 'polars @ https://a.test/x.whl'],
  ['python', '--index-url=https://a.test'],
  ['python', './local'],
  ['javascript', 'a@workspace:*'],
  ['javascript', 'a@b/c'],
  ['javascript', 'git+ssh://a'],
] as const)('parseRequirement() of %s refuses %s', (language, text) => {
  expect(() => parseRequirement(language, text)).toThrow('names no package')
})

const listed = { ...defaultPackagePolicy, mode: 'listed' as const }
const ask = (language: 'javascript' | 'python', text: string) => parseRequirement(language, text)

test('a line with npm’s versions speaks of npm alone, one with Python’s of PyPI alone', () => {
  const policy = { ...listed, allow: ['es-toolkit@1', 'polars>=1', 'pypi:requests', 'idna'] }
  const allows = (language: 'javascript' | 'python', name: string) =>
    !refusalOf(policy, language, [ask(language, name)])
  expect(['es-toolkit', 'polars', 'requests', 'idna'].map((name) => allows('javascript', name))).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(['es-toolkit', 'polars', 'requests', 'idna'].map((name) => allows('python', name))).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('narrow() asks for the versions that the list allows', () => {
  const policy = { ...listed, allow: ['es-toolkit@1', 'polars>=1', 'zod@3 || 4'] }
  expect(narrow(policy, 'javascript', ask('javascript', 'es-toolkit')).text).toBe('es-toolkit@1')
  expect(narrow(policy, 'javascript', ask('javascript', 'es-toolkit@>=1.3')).text).toBe('es-toolkit@1 >=1.3')
  expect(narrow(policy, 'javascript', ask('javascript', 'zod@^4')).text).toBe('zod@^4')
  expect(narrow(policy, 'python', ask('python', 'polars[excel]')).text).toBe('polars[excel]>=1')
  expect(narrow(policy, 'python', ask('python', 'polars<2')).text).toBe('polars>=1,<2')
})
