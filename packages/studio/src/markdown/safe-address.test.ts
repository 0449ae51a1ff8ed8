import { expect, test } from 'vitest'
import { safeAddress } from './safe-address.ts'

test('addresses of the web and mailboxes are links', () => {
  expect(safeAddress('https://example.org/a?b#c')).toBe('https://example.org/a?b#c')
  expect(safeAddress('mailto:olga@example.org')).toBe('mailto:olga@example.org')
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://example.org/1',
  'file:///etc/passwd',
  '/api/v1/me',
  '//example.org',
  'nothing',
])('%j is text', (address) => {
  expect(safeAddress(address)).toBeUndefined()
})
