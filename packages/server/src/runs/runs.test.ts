import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { Runs, type RunsRooms } from './runs.ts'

test('start() accepts no more runs than may wait, when they come while others are still being recorded', async () => {
  const recorded = Promise.withResolvers<void>()
  const rooms = {
    log: pino({ level: 'silent' }),
    serverId: 'server_1',
    database: { call: () => recorded.promise },
    events: { publish: async () => undefined },
    grants: { of: async () => ({ quotas: { runsAtOnce: 1, runSecondsPerDay: 100 }, usedSeconds: 0, storedMb: 0 }) },
    router: { choose: () => ({}) },
  } as unknown as RunsRooms
  const runs = new Runs(rooms, { slots: 0, waiting: 3, waitingPerTeam: 2 })
  const start = (teamId: string) => {
    const caller = { teamId, via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
    const verdict = runs.start(caller, { language: 'python', code: '1' })
    return verdict.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  }
  const verdicts = ['a', 'a', 'a', 'b', 'c'].map(start)
  await setImmediate()
  recorded.resolve()
  expect(await Promise.all(verdicts)).toEqual([
    'accepted',
    'accepted',
    'The team has 2 runs waiting already',
    'accepted',
    'The machine has too many runs waiting',
  ])
})
