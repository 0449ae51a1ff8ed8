import { expect, test } from 'vitest'
import { givenOptions } from './given-options.ts'

test('what nobody asked for is told as the default, and nothing else is listed', () => {
  expect(givenOptions({ language: 'python' }, {})).toEqual([
    { name: 'Time', value: 'default', isDefault: true },
    { name: 'Memory', value: 'default', isDefault: true },
    { name: 'Output', value: 'default', isDefault: true },
    { name: 'Network', value: 'none', isDefault: true },
  ])
})

test('what was asked for is told in words', () => {
  const options = givenOptions(
    {
      language: 'typescript',
      limits: { timeoutMs: 90_000, memoryMb: 512, outputBytes: 0 },
      network: { allow: ['https://a.example/', 'https://b.example/'] },
      packages: ['zod', 'lodash-es'],
      runtime: 'process',
      readOnly: true,
    },
    {},
  )
  expect(options.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Time: 1 m 30 s',
    'Memory: 512 MB',
    'Output: 0 B',
    'Network: https://a.example/\nhttps://b.example/',
    'Packages: zod, lodash-es',
    'Runtime: process',
    'Files: cannot be written',
  ])
})

test('a cell has the memory and the network of its sandbox', () => {
  const options = givenOptions({ language: 'python' }, { sandboxId: 'sbx_1' })
  expect(options.filter(({ value }) => value === 'that of its sandbox').map(({ name }) => name)).toEqual([
    'Memory',
    'Network',
  ])
})
