import { expect, test } from 'vitest'
import { readRequirements, sameName, splitRequirement } from './requirement.ts'

test('readRequirements() takes spaces, commas and lines between requirements and none within one', () => {
  expect(readRequirements('polars, pandas >= 2, < 3\n httpx[http2, socks]~=0.27  es-toolkit@1')).toEqual([
    'polars',
    'pandas>=2,<3',
    'httpx[http2,socks]~=0.27',
    'es-toolkit@1',
  ])
  expect(readRequirements(' ,\n')).toEqual([])
})

test('splitRequirement() finds the name in requirements of both languages', () => {
  expect(splitRequirement('python', 'polars>=1')).toEqual({ name: 'polars', range: '>=1' })
  expect(splitRequirement('python', 'httpx[http2]==0.27')).toEqual({ name: 'httpx', range: '[http2]==0.27' })
  expect(splitRequirement('javascript', 'npm:@types/node@22')).toEqual({ name: '@types/node', range: '22' })
  expect(splitRequirement('javascript', '@types/node')).toEqual({ name: '@types/node', range: '' })
  expect(sameName('python', 'Ruamel_YAML')).toBe(sameName('python', 'ruamel.yaml'))
})
