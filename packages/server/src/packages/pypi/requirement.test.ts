import { expect, test } from 'vitest'
import { normalizeName, parseRequirement, parseRequirements } from './requirement.ts'

test('parseRequirement() reads names with versions, extras and markers', () => {
  expect(parseRequirement(' Ruamel.YAML[Jinja2]~=0.18 ; sys_platform == "linux"')).toEqual({
    name: 'ruamel-yaml',
    extras: ['jinja2'],
    specifier: '~=0.18',
    marker: 'sys_platform == "linux"',
    text: 'ruamel-yaml[jinja2]~=0.18 ; sys_platform == "linux"',
  })
  expect(parseRequirement('polars (>=1, <2)')?.text).toBe('polars>=1,<2')
  expect(parseRequirement('polars@1')?.text).toBe('polars==1.*')
  expect(parseRequirement('polars@1.2.3')?.text).toBe('polars==1.2.3')
  expect(normalizeName('Zope__Interface.-x')).toBe('zope-interface-x')
})

test.each([
  '',
  '--index-url http://x/simple',
  '-r /etc/passwd',
  'six @ file:///etc/passwd',
  'six @ https://evil/six.whl',
  'git+https://evil/x',
  './six.whl',
  '/etc/passwd',
  'six\n--index-url http://x',
  'six==1.0 --index-url=http://x',
  'six==1.0 --hash=sha256:aa',
  'six ; python_version>"3"\n-r x',
  'six[../x]',
  '../six',
  'six==$(id)',
  `a${'-'.repeat(500)}`,
])('parseRequirement() refuses %j', (text) => {
  expect(parseRequirement(text)).toBeUndefined()
  expect(() => parseRequirements(['six', text])).toThrow('is named with versions')
})
