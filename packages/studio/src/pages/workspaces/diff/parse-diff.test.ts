import { expect, test } from 'vitest'
import { countLines, parseDiff } from './parse-diff.ts'

const diff = `--- a.txt
+++ a.txt
@@ -2,3 +2,4 @@
 same
--- not a head
+new
+er
 end
@@ -9 +10 @@
-x
+y
\\ No newline at end of file
`

test('parseDiff() numbers the lines of each hunk', () => {
  const lines = parseDiff(diff)
  expect(lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ['gap', '@@ -2,3 +2,4 @@', undefined, undefined],
    ['context', 'same', 2, 2],
    ['removed', '-- not a head', 3, undefined],
    ['added', 'new', undefined, 3],
    ['added', 'er', undefined, 4],
    ['context', 'end', 4, 5],
    ['gap', '@@ -9 +10 @@', undefined, undefined],
    ['removed', 'x', 9, undefined],
    ['added', 'y', undefined, 10],
  ])
  expect(countLines(lines)).toEqual({ added: 3, removed: 2 })
})
