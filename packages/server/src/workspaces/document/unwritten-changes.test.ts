import { expect, test } from 'vitest'
import { anna } from '../test-workspaces.ts'
import { UnwrittenChanges, type UnwrittenChange } from './unwritten-changes.ts'

const update: UnwrittenChange = { kind: 'update', bytes: new Uint8Array(), author: anna }
const versionOf = (path: string): UnwrittenChange => ({
  kind: 'version',
  version: { author: anna, coauthors: [], message: null, captured: new Map([[path, undefined]]) },
})

test('what is added while a transaction goes on waits for the next', () => {
  const unwritten = new UnwrittenChanges()
  unwritten.add(update)
  unwritten.add(versionOf('a'))
  expect(unwritten.take()).toEqual([update, versionOf('a')])
  unwritten.add(versionOf('b'))
  expect([unwritten.isEmpty, unwritten.isWriting]).toEqual([false, true])
  unwritten.written()
  expect(unwritten.take()).toEqual([versionOf('b')])
  expect([unwritten.isEmpty, unwritten.isWriting]).toEqual([true, true])
})

test('a file is changed by a version that waits and by one that is being written', () => {
  const unwritten = new UnwrittenChanges()
  unwritten.add(versionOf('a'))
  unwritten.take()
  unwritten.add(versionOf('b'))
  expect(['a', 'b', 'c'].map((path) => unwritten.changes(path))).toEqual([true, true, false])
  unwritten.written()
  expect(['a', 'b', 'c'].map((path) => unwritten.changes(path))).toEqual([false, true, false])
})
