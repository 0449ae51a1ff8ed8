import { expect, test } from 'vitest'
import { addPreset, countOptions, noOptions, readOptions, undoReset, writeOptions } from './typed-options.ts'

test('nothing typed asks for nothing', () => {
  expect(readOptions(noOptions)).toEqual({ part: {}, errors: {} })
  expect(countOptions(noOptions)).toBe(0)
})

test('what is typed becomes the request', () => {
  const options = {
    ...noOptions,
    input: '{"n": 1}',
    args: '--size\n3 4\n',
    env: 'A=1\n\nB=x=y ',
    seconds: '1,5',
    memoryMb: '64',
    outputKb: '10',
    allow: ' https://api.github.com/ \n',
    packages: 'zod, lodash-es',
    typecheck: true,
    runtime: 'isolate' as const,
  }
  expect(readOptions(options)).toEqual({
    part: {
      input: { n: 1 },
      args: ['--size', '3 4'],
      env: { A: '1', B: 'x=y ' },
      limits: { timeoutMs: 1500, memoryMb: 64, outputBytes: 10_000 },
      network: { allow: ['https://api.github.com/'] },
      packages: ['zod', 'lodash-es'],
      typecheck: true,
      runtime: 'isolate',
    },
    errors: {},
  })
  expect(countOptions(options)).toBe(10)
})

test('mistakes are named by their field', () => {
  const { errors } = readOptions({
    ...noOptions,
    input: '{',
    env: '1A=x',
    seconds: '301',
    memoryMb: 'much',
    allow: 'github.com',
  })
  expect(Object.keys(errors)).toEqual(['input', 'env', 'seconds', 'memoryMb', 'allow'])
})

test('a wildcard among the addresses is named, wherever it stands', () => {
  const wrong = ['https://*.example.com/', 'https://example.com/*']
  for (const prefix of wrong) {
    const { part, errors } = readOptions({ ...noOptions, allow: `https://a/\n${prefix}` })
    expect(errors.allow).toMatch(/^There are no wildcards: /)
    expect(errors.allow).toContain(prefix)
    expect(part).toEqual({})
  }
})

test('a check of types is not taken over from a run in a language that has none', () => {
  expect(writeOptions({ language: 'typescript', typecheck: true }).typecheck).toBe(true)
  expect(writeOptions({ language: 'javascript', typecheck: true })).toEqual(noOptions)
})

test('a reset is undone beside what was typed since', () => {
  const before = { ...noOptions, stdin: 'a', seconds: '5', readOnly: true }
  expect(undoReset(before, noOptions)).toEqual(before)
  expect(undoReset(before, { ...noOptions, stdin: 'b', env: 'A=1' })).toEqual({ ...before, stdin: 'b', env: 'A=1' })
})

test('the options of a run come back as they were typed, but for variables', () => {
  const options = {
    ...noOptions,
    input: 'null',
    stdin: 'a\nb',
    args: 'x\ny',
    seconds: '0.5',
    allow: 'https://a/\nhttps://b/',
    readOnly: true,
  }
  expect(writeOptions({ language: 'python', ...readOptions({ ...options, env: 'A=1' }).part })).toEqual(options)
})

test('a preset adds its addresses once', () => {
  const npm = ['https://registry.npmjs.org/']
  expect(addPreset(addPreset(' https://a/ \n', npm), npm)).toBe('https://a/\nhttps://registry.npmjs.org/')
})
