import { expect, test } from 'vitest'
import { findPhases } from './find-phases.ts'
import type { HistoryRow } from './timeline-store.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const change = (second: number, status: string, serverId = '', isLost = false) =>
  ({ at: at(second), kind: 'status', details: { status, serverId, isLost } }) as HistoryRow
const turn = { createdAt: at(0), startedAt: at(1), endedAt: at(60) }

test('findPhases() tells waiting, sleep and each server that worked, to the end', () => {
  const history = [
    change(1, 'running', 'one'),
    change(5, 'waiting', 'one'),
    change(9, 'queued', 'one'),
    change(10, 'running', 'two'),
    change(25, 'queued', 'two', true),
    change(25, 'running', 'one'),
    change(30, 'sleeping', 'one'),
    change(50, 'queued', 'one'),
    change(51, 'running', 'one'),
    change(60, 'done', 'one'),
  ]
  expect(
    findPhases(turn, history).map((one) => [one.status, one.startedAt, one.endedAt, one.server, one.isLost]),
  ).toEqual([
    ['queued', at(0), at(1), null, false],
    ['running', at(1), at(5), 1, false],
    ['waiting', at(5), at(9), null, false],
    ['queued', at(9), at(10), null, false],
    ['running', at(10), at(25), 2, true],
    ['queued', at(25), at(25), null, false],
    ['running', at(25), at(30), 1, false],
    ['sleeping', at(30), at(50), null, false],
    ['queued', at(50), at(51), null, false],
    ['running', at(51), at(60), 1, false],
  ])
})

test('findPhases() leaves the last one open while the turn goes on, and knows turns from before changes were kept', () => {
  expect(findPhases({ ...turn, endedAt: null }, [change(1, 'running', 'one')]).at(-1)).toEqual({
    status: 'running',
    startedAt: at(1),
    endedAt: null,
    server: 1,
    isLost: false,
  })
  expect(findPhases(turn, []).map(({ status, endedAt }) => [status, endedAt])).toEqual([
    ['queued', at(1)],
    ['running', at(60)],
  ])
})
