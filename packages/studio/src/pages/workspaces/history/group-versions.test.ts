import type { WorkspaceVersion } from '@coherex/contract'
import { expect, test } from 'vitest'
import { groupTitle, groupVersions } from './group-versions.ts'

function version(number: number, path: string, turnId?: string): WorkspaceVersion {
  const author = turnId
    ? ({ kind: 'agent', id: 'coder', name: 'coder for Olga', door: 'agent', turnId } as const)
    : ({ kind: 'person', id: 'per_1', name: 'Olga', door: 'studio' } as const)
  const changes = [{ path, change: 'changed' as const }]
  return {
    ...{ number, author, changes, coauthors: [], message: null, changeCount: 1, tags: [] },
    at: '2026-01-01T00:00:00.000Z',
  } as WorkspaceVersion
}

test('groupVersions() joins versions of one turn that follow each other', () => {
  const [one, two] = ['turn_1', 'turn_2']
  const all = [
    version(9, 'a', two),
    version(8, 'a', one),
    version(7, 'b', one),
    version(6, 'c'),
    version(5, 'a', one),
    version(3, 'a', one),
  ]
  const groups = groupVersions(all)
  expect(groups.map((group) => group.map(({ number }) => number))).toEqual([[9], [8, 7], [6], [5], [3]])
  expect(groups[1] && groupTitle(groups[1])).toBe('coder changed 2 files')
})
