import type { RunRequest } from '@coherex/contract'
import { expect, test } from 'vitest'
import { toProgram } from '../run.ts'
import { splitPackages } from './needed-packages.ts'

const split = (request: Partial<RunRequest> & Pick<RunRequest, 'code'>) => {
  const whole: RunRequest = { language: 'typescript', ...request }
  return splitPackages(whole, toProgram(whole))
}
const none = { lockFile: undefined, isDeclared: false }

test('built-in packages, Node modules, files and addresses are no packages of a registry', () => {
  const code = `
    import { z } from 'zod'
    import fs from 'fs'
    import { test } from 'node:test'
    import punycode from 'punycode/'
    import { a } from './a.ts'
    import b from 'https://a.test/b.js'
    import { env } from 'coherex'`
  expect(split({ code, files: { 'a.ts': '' }, packages: ['lodash'] })).toEqual({
    builtIn: ['lodash'],
    base: [],
    needed: undefined,
  })
})

test('bare and pinned imports of a program and of what it reaches are implied, each once', () => {
  const code = `import { groupBy } from 'es-toolkit/array'\nimport './more.ts'\nimport pad from 'npm:@scope/pad@^2/x'\nimport 'npm:es-toolkit@1.39'`
  const files = { 'more.ts': `export * from '@scope/one/sub'\nrequire('left-pad')`, 'unreached.ts': `import 'nobody'` }
  expect(split({ code, files })).toEqual({
    builtIn: [],
    base: [],
    needed: {
      language: 'javascript',
      asked: [],
      implied: ['@scope/pad@^2', 'es-toolkit@1.39', '@scope/one', 'left-pad'],
      ...none,
    },
  })
})

test('a pinned version of a built-in package comes from the registry', () => {
  const { builtIn, needed } = split({ code: `import 'npm:lodash@3'`, packages: ['zod', 'dayjs@1.10'] })
  expect([builtIn, needed?.asked, needed?.implied]).toEqual([['zod'], ['dayjs@1.10'], ['lodash@3']])
})

test('the nearest package.json says which versions, and its lock file comes along', () => {
  const files = {
    'package.json': JSON.stringify({ dependencies: { 'left-pad': '^9' } }),
    'app/package.json': JSON.stringify({ dependencies: { 'left-pad': '^1', zod: '3', own: 'file:../own', it: '*' } }),
    'app/package-lock.json': '{"lockfileVersion":3}',
  }
  const request = { entry: 'app/main.ts', files, language: 'typescript' as const }
  expect(split({ ...request, code: `import 'left-pad'\nimport 'es-toolkit'` }).needed).toEqual({
    language: 'javascript',
    asked: [],
    implied: ['left-pad@^1', 'zod@3', 'it', 'es-toolkit'],
    lockFile: '{"lockfileVersion":3}',
    isDeclared: true,
  })
  expect(split({ ...request, code: `console.log(1)` }).needed).toBeUndefined()
  expect(split({ ...request, code: `import 'own'` }).needed?.implied).toEqual(['own'])
})

test('a node_modules among the files comes first', () => {
  const files = { 'node_modules/left-pad/package.json': '{}' }
  expect(split({ code: `import 'left-pad'`, files }).needed).toBeUndefined()
})

test('Python takes its packages from the request, the script, or files beside it', () => {
  const language = 'python' as const
  const script = '# /// script\n# dependencies = ["polars>=1"]\n# ///\nimport polars'
  const files = { 'requirements.txt': 'httpx\n-r x.txt\n', 'pylock.toml': 'lock-version = "1.0"' }
  expect(split({ language, code: 'import polars' }).needed).toBeUndefined()
  expect(split({ language, code: script, files }).needed).toMatchObject({ asked: [], implied: ['polars>=1'], ...none })
  expect(split({ language, code: '1', files, packages: ['rich'] }).needed).toEqual({
    language,
    asked: ['rich'],
    implied: ['httpx'],
    lockFile: 'lock-version = "1.0"',
    isDeclared: true,
  })
  const project = { 'pyproject.toml': '[project]\ndependencies = ["attrs<24"]' }
  expect(split({ language, code: '1', files: project }).needed?.implied).toEqual(['attrs<24'])
  expect(split({ language, code: '# /// script\n# x = [', files: { 'pyproject.toml': '[' } }).needed).toBeUndefined()
})

test('a script whose packages cannot be read says why, and one that names an address says which', () => {
  const unreadOf = (...lines: string[]) => {
    const code = ['# /// script', ...lines.map((line) => `# ${line}`), '# ///', '1'].join('\n')
    const { needed, unread } = split({ language: 'python', code })
    return [needed?.implied, unread]
  }
  expect(unreadOf('dependencies = ["polars"]')).toEqual([['polars'], undefined])
  expect(unreadOf('dependencies = [polars]')).toEqual([
    undefined,
    expect.stringMatching(/^Cannot read the packages of the script: .*\(line 1\)$/),
  ])
  expect(unreadOf('dependencies = ["polars", "own @ https://own.test/own.whl"]')).toEqual([
    ['polars'],
    '"own @ https://own.test/own.whl": a script names packages by name and version',
  ])
})

test('packages that Python has anyway, or the operator offers, are asked of no registry', () => {
  const had = { packages: { numpy: '2.1.0', pandas: '2.2.3' }, offered: { acme: '1.0' } }
  const needs = (...packages: string[]) => {
    const request: RunRequest = { language: 'python', code: '1', packages }
    return splitPackages(request, toProgram(request), had).needed?.asked
  }
  const met = (...packages: string[]) => {
    const request: RunRequest = { language: 'python', code: '1', packages }
    return splitPackages(request, toProgram(request), had).base.map(({ name, version }) => `${name} ${version}`)
  }
  expect([met('numpy', 'Pandas>=2'), met('acme', 'numpy'), met('numpy', 'polars'), met()]).toEqual([
    ['numpy 2.1.0', 'pandas 2.2.3'],
    ['acme 1.0', 'numpy 2.1.0'],
    [],
    [],
  ])
  expect([needs('numpy', 'Pandas>=2'), needs('Acme'), needs()]).toEqual([undefined, undefined, undefined])
  expect(needs('numpy', 'polars')).toEqual(['numpy', 'polars'])
  expect(needs('numpy<2')).toEqual(['numpy<2'])
  expect(needs('pandas[excel]')).toEqual(['pandas[excel]'])
  expect(needs('acme>=1', 'polars')).toEqual(['polars'])
  expect(needs('acme>1')).toEqual(['acme>1'])
})

test('other languages keep what they were given', () => {
  expect(split({ language: 'bash', code: '1', packages: ['jq'] })).toEqual({
    ...{ builtIn: ['jq'], base: [], needed: undefined },
  })
})
