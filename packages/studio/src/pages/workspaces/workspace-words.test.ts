import type { Author } from '@coherex/contract'
import { expect, test } from 'vitest'
import { authorWords, changesTitle } from './workspace-words.ts'

const named = (name: string, door: Author['door'] = 'studio'): Author => ({ kind: 'person', id: name, name, door })

test('authorWords() names all who typed, and the door', () => {
  expect(authorWords({ author: named('Ada', 'cli'), coauthors: [] })).toBe('Ada from the command line')
  expect(authorWords({ author: named('Ada'), coauthors: [named('Bo'), named('Cy')] })).toBe(
    'Ada, Bo and Cy in the studio',
  )
})

test('changesTitle() says the first change and how many more', () => {
  expect(changesTitle({ changes: [{ path: 'b', change: 'moved', from: 'a' }], changeCount: 1 })).toBe('Moved a to b')
  expect(changesTitle({ changes: [{ path: 'b', change: 'deleted' }], changeCount: 3 })).toBe('Deleted b and 2 more')
  expect(changesTitle({ changes: [], changeCount: 0 })).toBe('No change')
})
