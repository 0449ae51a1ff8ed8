import { expect, test } from 'vitest'
import { findEntry } from './find-entry.ts'

test.each([
  [['README.md', 'main.py', 'tool.py', 'x.py'], 'main.py'],
  [['check.py', 'summary.py', 'tool.py'], 'tool.py'],
  [['index.ts', 'lib/main.ts', 'a.ts'], 'index.ts'],
  [['README.md', 'src/add.py', 'data.csv'], 'src/add.py'],
])('findEntry() takes of %j the file %s', (paths, entry) => {
  expect(findEntry(paths, 'x').entry).toBe(entry)
})

test.each([
  [['a.py', 'b.py'], '2 files could be the one that is run'],
  [['main.py', 'main.ts'], '2 files could be the one that is run'],
  [['README.md'], 'no file of it is code'],
])('findEntry() refuses %j: %s', (paths, why) => {
  expect(() => findEntry(paths, 'x')).toThrow(why)
})
