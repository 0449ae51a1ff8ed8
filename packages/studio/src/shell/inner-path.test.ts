import { expect, test } from 'vitest'
import { isInnerPath } from './inner-path.ts'

test.each(['/', '/settings/audit?search=x', '/#a'])('%j stays here', (path) => {
  expect(isInnerPath(path)).toBe(true)
})

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  7,
])('%j leads away', (path) => {
  expect(isInnerPath(path)).toBe(false)
})
