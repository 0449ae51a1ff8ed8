import { expect, test } from 'vitest'
import { isDiskFull } from './disk-full.ts'

const failed = (code: string, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code })

test('isDiskFull() knows a full disk of files and of the database, also as a cause', () => {
  for (const code of ['ENOSPC', 'EDQUOT', '53100']) expect(isDiskFull(failed(code))).toBe(true)
  expect(isDiskFull(new Error('a query failed', { cause: failed('53100') }))).toBe(true)
  for (const other of [failed('ENOENT'), failed('53200'), new Error('ENOSPC'), 'ENOSPC', undefined])
    expect(isDiskFull(other)).toBe(false)
})
