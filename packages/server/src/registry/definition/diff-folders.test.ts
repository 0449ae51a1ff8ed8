import { expect, test } from 'vitest'
import { diffFolders } from './diff-folders.ts'

const contentOf = (files: Record<string, string | Buffer>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))

test('diffFolders() shows every file, its instructions first, and nothing in it is invisible', async () => {
  const before = contentOf({ 'a.py': 'x = 1\n', 'SKILL.md': 'one\n', same: 'same' })
  const after = contentOf({
    'a.py': 'x\t= 1\u202E\r\n',
    'SKILL.md': 'two\n',
    same: 'same',
    'b\u200B.bin': Buffer.from([0]),
  })
  expect(await diffFolders(before, after)).toBe(
    [
      '--- a/SKILL.md\n+++ b/SKILL.md\n@@ -1,1 +1,1 @@\n-one\n+two\n',
      '--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-x = 1\n+x\t= 1<U+202E><U+000D>\n',
      '--- a/b<U+200B>.bin\n+++ b/b<U+200B>.bin\nBinary files differ: nothing → 1 bytes\n',
    ].join(''),
  )
})

test('diffFolders() of texts with nothing in common ends soon, and shows all of both', async () => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, n) => `${word} ${n}\n`).join('')
  const diff = await diffFolders(contentOf({ 'SKILL.md': lines('a') }), contentOf({ 'SKILL.md': lines('b') }))
  expect(diff).toContain('\n-a 39999\n')
  expect(diff).toContain('\n+b 39999\n')
})
