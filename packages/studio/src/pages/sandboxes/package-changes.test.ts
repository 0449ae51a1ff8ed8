import { expect, test } from 'vitest'
import { packageChanges } from './package-changes.ts'

test('packageChanges() adds what is new or of another version, and removes by name what is gone', () => {
  expect(
    packageChanges('python', ['polars', 'Ruamel.YAML>=0.18', 'httpx'], ['polars==1.9.0', 'httpx', 'rich']),
  ).toEqual({
    language: 'python',
    requirements: ['polars==1.9.0', 'rich'],
    remove: ['ruamel-yaml'],
  })
  expect(packageChanges('javascript', ['zod@4'], ['zod@4'])).toBeUndefined()
})
