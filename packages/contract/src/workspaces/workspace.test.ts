import { expect, test } from 'vitest'
import { workspaceName } from './workspace.ts'

test('a name of a workspace is one line without control characters, or it is refused before it is stored', () => {
  const isName = (text: string) => workspaceName.safeParse(text).success
  expect(['Invoices', ' Ünïcode 😀 ', '<b>'].map(isName)).toEqual([true, true, true])
  expect(['', '  ', 'a\u0000b', 'a\nb', 'a\u001b[31m', 'n'.repeat(101)].some(isName)).toBe(false)
})
