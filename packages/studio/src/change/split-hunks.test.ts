import { expect, test } from 'vitest'
import { splitHunks } from './split-hunks.ts'

test('splitHunks() cuts a diff at its hunks, not at lines that look like one', () => {
  const first = '@@ -1,2 +1,2 @@\n one\n-@@ -9 +9 @@\n+two\n'
  const second = '@@ -20 +20,2 @@\n-x\n+y\n+z\n\\ No newline at end of file\n'
  expect(splitHunks(`--- a/a\n+++ b/a\n${first}${second}`)).toEqual([first, second])
  expect(splitHunks('')).toEqual([])
})
