import { isPlainPath } from '@coherex/contract'
import { expect, test } from 'vitest'
import { cleanName, freeName } from './clean-name.ts'

test('cleanName() leaves a plain name in its folder, whatever came', () => {
  const hostile = {
    'sales 2026.csv': 'sales 2026.csv',
    '../../etc/passwd': 'passwd',
    '..\\..\\boot.ini': 'boot.ini',
    '/': 'file',
    '..': 'file',
    '': 'file',
    '.env': 'env',
    'a\u0000b\nc.txt': 'abc.txt',
    'report\u202Efdp.exe': 'reportfdp.exe',
    'a\uD800.csv': 'a_.csv',
    'C:name?.csv': 'C_name_.csv',
    'Zu\u0308rich.csv': 'Z\u00fcrich.csv',
  }
  for (const [name, plain] of Object.entries(hostile)) expect([name, cleanName(name)]).toEqual([name, plain])
  const long = cleanName(`${'😀'.repeat(200)}.csv`)
  expect([Buffer.byteLength(long) <= 120, long.endsWith('😀.csv'), isPlainPath(long)]).toEqual([true, true, true])
})

test('freeName() numbers a name that is taken, in any case', () => {
  expect(freeName('a.csv', [])).toBe('a.csv')
  expect(freeName('a.csv', ['A.CSV', 'a-2.csv'])).toBe('a-3.csv')
  expect(freeName('README', ['README'])).toBe('README-2')
})
