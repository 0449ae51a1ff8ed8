import { expect, test } from 'vitest'
import { filesOfTurn } from './files-of-turn.ts'

const item = (path: string, change: 'added' | 'changed' | 'deleted', version: number) => ({
  ...{ path, change, version, binary: false },
  diff: `@@ -1 +1 @@\n+${version}\n`,
})

test('filesOfTurn() joins the changes of a file and keeps deletions', () => {
  expect(filesOfTurn([item('a', 'added', 3), item('b', 'deleted', 4), item('a', 'changed', 7)])).toEqual([
    {
      ...{ path: 'a', change: 'added', binary: false, before: 2, after: 7 },
      diff: '@@ -1 +1 @@\n+3\n@@ -1 +1 @@\n+7\n',
    },
    { path: 'b', change: 'deleted', binary: false, before: 3, after: 4, diff: '@@ -1 +1 @@\n+4\n' },
  ])
})
