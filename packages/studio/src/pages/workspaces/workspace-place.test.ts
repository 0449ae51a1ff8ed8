import { expect, test } from 'vitest'
import { parseWorkspacePlace } from './workspace-place.ts'

test('parseWorkspacePlace() takes what it knows and drops the rest', () => {
  expect(parseWorkspacePlace({ file: 'src/a.ts', line: 3, panel: 'history', from: 0, to: 4, other: 1 })).toEqual({
    file: 'src/a.ts',
    line: 3,
    panel: 'history',
    from: 0,
    to: 4,
  })
  expect(parseWorkspacePlace({ line: 3, panel: 'nothing', from: -1, to: 'x' })).toEqual({})
})

test('a file whose name is a number is still a file', () => {
  expect(parseWorkspacePlace({ file: 2024 })).toEqual({ file: '2024' })
})
