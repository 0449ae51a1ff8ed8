import { expect, test } from 'vitest'
import type { Program } from '../../runtime.ts'
import { wantsDataStack } from './data-imports.ts'

const program = (code: string, more: Partial<Program> = {}): Program => ({
  ...{
    language: 'python',
    code,
    entry: 'main.py',
    files: {},
    env: {},
    packages: [],
    typecheck: false,
    readOnly: false,
  },
  ...more,
})

test('wantsDataStack() sees imports wherever they begin a line', () => {
  for (const code of [
    'import pandas',
    'x = 1\nfrom numpy import array',
    'def f():\n\timport matplotlib.pyplot as plt',
    'import os, json as j , pandas as pd',
  ]) {
    expect(wantsDataStack(program(code))).toBe(true)
  }
  for (const code of [
    'print("import pandas")',
    'import numpyro',
    'x = 1',
    '# import pandas',
    'import os, numpyro',
    'from os import path, pandas',
  ]) {
    expect(wantsDataStack(program(code))).toBe(false)
  }
})

test('wantsDataStack() leaves programs alone that would notice', () => {
  expect(wantsDataStack(program('import pandas', { files: { 'pandas/__init__.py': '' } }))).toBe(false)
  expect(wantsDataStack(program('import numpy', { env: { OPENBLAS_NUM_THREADS: '4' } }))).toBe(false)
  expect(wantsDataStack(program('import numpy', { env: { GREETING: 'x' }, files: { 'pandas.csv': '' } }))).toBe(true)
})

test('wantsDataStack() looks at a megabyte of empty lines, or of names, once', () => {
  const began = process.threadCpuUsage()
  expect(wantsDataStack(program(`import ${'a, '.repeat(500_000)}`))).toBe(false)
  expect(wantsDataStack(program('\n'.repeat(1_000_000)))).toBe(false)
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(2_000)
})
