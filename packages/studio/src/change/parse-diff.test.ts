import { expect, test } from 'vitest'
import { countLines, parseDiff, splitDiff } from './parse-diff.ts'

const diff = `--- a/a.txt
+++ b/a.txt
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

test('parseDiff() numbers the lines of each hunk and counts the lines between hunks', () => {
  const rows = parseDiff(diff)
  expect(rows.map((row) => (row.kind === 'gap' ? row : [row.kind, row.text, row.before, row.after]))).toEqual([
    { kind: 'gap', before: 1, after: 1, count: 1 },
    ['context', 'same', 2, 2],
    ['removed', '-- not a head', 3, undefined],
    ['added', 'new', undefined, 3],
    ['added', 'er', undefined, 4],
    ['context', 'end', 4, 5],
    { kind: 'gap', before: 5, after: 6, count: 4 },
    ['removed', 'x', 9, undefined],
    ['added', 'y', undefined, 10],
  ])
  expect(countLines(rows)).toEqual({ added: 3, removed: 2 })
})

test('parseDiff() ends with a gap only where the file goes on after the last hunk', () => {
  const head = '@@ -1,4 +1,4 @@\n-a\n+b\n'
  expect(parseDiff(`${head} 1\n 2\n 3\n`).at(-1)).toEqual({ kind: 'gap', before: 5, after: 5, count: undefined })
  expect(parseDiff(`${head} 1\n 2\n`).at(-1)).toMatchObject({ kind: 'context', text: '2' })
  expect(parseDiff('@@ -0,0 +1,2 @@\n+a\n+b\n').map(({ kind }) => kind)).toEqual(['added', 'added'])
  expect(parseDiff('@@ -3,1 +2,0 @@\n-c\n')[0]).toEqual({ kind: 'gap', before: 1, after: 1, count: 2 })
})

test('splitDiff() cuts at heads of files, never at removed lines that look like one', () => {
  const many = `${diff}--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+++ b/x\n+y\n--- a/gone.md\n+++ /dev/null\n@@ -1 +0,0 @@\n--- a/z\n--- a/i.png\n+++ b/i.png\nBinary files differ: 3 bytes → 4 bytes\n`
  const files = splitDiff(many)
  expect(files.map(({ path, change, binary }) => [path, change, binary])).toEqual([
    ['a.txt', 'changed', false],
    ['new.py', 'added', false],
    ['gone.md', 'deleted', false],
    ['i.png', 'changed', true],
  ])
  expect(files.map((file) => countLines(parseDiff(file.diff)))).toEqual([
    { added: 3, removed: 2 },
    { added: 2, removed: 0 },
    { added: 0, removed: 1 },
    { added: 0, removed: 0 },
  ])
})
