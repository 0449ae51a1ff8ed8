import type { WorkspaceFile } from '@coherex/contract'
import { expect, test } from 'vitest'
import { buildTree } from './build-tree.ts'

const files = (...paths: string[]): WorkspaceFile[] =>
  paths.map((path) => ({ path, kind: 'text', size: 1, hash: '', version: 1 }))
const rowsOf = (list: WorkspaceFile[], closed: string[] = []) =>
  buildTree(list, new Set(closed)).map(
    ({ kind, path, depth }) => `${'  '.repeat(depth)}${path}${kind === 'folder' ? '/' : ''}`,
  )

test('buildTree() puts folders first and counts as people do', () => {
  expect(rowsOf(files('b.txt', 'a10.txt', 'a9.txt', 'src/lib/x.ts', 'src/a.ts'))).toEqual([
    'src/',
    '  src/lib/',
    '    src/lib/x.ts',
    '  src/a.ts',
    'a9.txt',
    'a10.txt',
    'b.txt',
  ])
})

test('buildTree() shows folders that are empty, and says which of how many a row is', () => {
  const rows = buildTree(files('a.txt', 'b.txt'), new Set(), ['new/deep'])
  expect(rows.map(({ kind, path, position, siblings }) => [kind, path, position, siblings])).toEqual([
    ['folder', 'new', 1, 3],
    ['folder', 'new/deep', 1, 1],
    ['file', 'a.txt', 2, 3],
    ['file', 'b.txt', 3, 3],
  ])
})

test('a closed folder hides all that is below it, not its neighbour of a similar name', () => {
  expect(rowsOf(files('src/deep/a.ts', 'src2/b.ts'), ['src'])).toEqual(['src/', 'src2/', '  src2/b.ts'])
})
