import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BusEvent, Database } from '../base/index.ts'
import { RunAnnouncer } from './run-announcer.ts'

let heard: BusEvent[]
let announcer: RunAnnouncer

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  heard = []
  announcer = new RunAnnouncer({
    database: {} as Database,
    events: { publish: async (event) => void heard.push(event) },
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a run that changes often within a moment is told once, by its id', () => {
  for (let time = 0; time < 3; time++) announcer.tell('team_a', { id: 'run_1' })
  vi.advanceTimersByTime(99)
  expect(heard).toEqual([])
  vi.advanceTimersByTime(1)
  expect(heard).toEqual([{ teamId: 'team_a', type: 'run', id: 'run_1' }])
})

test('many runs are one notice without an id; what comes after it is told anew', () => {
  for (let at = 0; at < 1000; at++) announcer.tell('team_a', { id: `run_${at}` })
  vi.advanceTimersByTime(100)
  announcer.tell('team_a', { id: 'run_7' })
  vi.advanceTimersByTime(100)
  expect(heard).toEqual([
    { teamId: 'team_a', type: 'run', id: null },
    { teamId: 'team_a', type: 'run', id: 'run_7' },
  ])
})

test('each team hears of its own', () => {
  announcer.tell('team_a', { id: 'run_1' })
  announcer.tell('team_b', { id: 'run_2' })
  vi.advanceTimersByTime(100)
  expect(heard).toEqual([
    { teamId: 'team_a', type: 'run', id: 'run_1' },
    { teamId: 'team_b', type: 'run', id: 'run_2' },
  ])
})
