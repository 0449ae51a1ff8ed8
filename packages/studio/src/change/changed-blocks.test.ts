import { expect, test } from 'vitest'
import { changedBlocks } from './changed-blocks.ts'
import { parseDiff } from './parse-diff.ts'

test('changedBlocks() names each change of a hunk by its line in the text before', () => {
  const diff = '@@ -8,5 +8,6 @@\n a\n-b\n+B\n+BB\n c\n+between\n d\n-e\n'
  expect(changedBlocks(parseDiff(diff))).toEqual([
    { line: 9, removed: ['b'], added: ['B', 'BB'] },
    { line: 11, removed: [], added: ['between'] },
    { line: 12, removed: ['e'], added: [] },
  ])
  expect(changedBlocks(parseDiff('@@ -0,0 +1 @@\n+first\n'))).toEqual([{ line: 1, removed: [], added: ['first'] }])
  expect(changedBlocks(parseDiff('@@ -3 +2,0 @@\n-gone\n'))).toEqual([{ line: 3, removed: ['gone'], added: [] }])
})
