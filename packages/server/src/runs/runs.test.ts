import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { Runs, type RunsRooms } from './runs.ts'

function createRuns({
  runsAtOnce = 1,
  call = async () => undefined,
}: {
  runsAtOnce?: number
  call?: () => Promise<void>
}) {
  const rooms = {
    log: pino({ level: 'silent' }),
    serverId: 'server_1',
    database: { call },
    events: { publish: async () => undefined },
    grants: { of: async () => ({ quotas: { runsAtOnce, runSecondsPerDay: 100 }, usedSeconds: 0, storedMb: 0 }) },
    router: { choose: () => ({}) },
  } as unknown as RunsRooms
  const runs = new Runs(rooms, {
    slots: 0,
    waiting: 3,
    waitingPerTeam: 2,
    waitingBytes: Infinity,
    waitingBytesPerTeam: Infinity,
  })
  return (teamId: string) => {
    const caller = { teamId, via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
    const started = runs.start(caller, { language: 'python', code: '1' })
    return started.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  }
}

test('start() accepts no more runs than may wait, when they come while others are still being recorded', async () => {
  const recorded = Promise.withResolvers<void>()
  const start = createRuns({ call: () => recorded.promise })
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

test('start() keeps no place for a run that was refused', async () => {
  const start = createRuns({ runsAtOnce: 0 })
  const verdicts = [await start('a'), await start('a'), await start('a'), await start('a')]
  expect(new Set(verdicts)).toEqual(new Set([expect.stringContaining('quota')]))
})
