import type { Run } from '@coherex/contract'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { newRun } from './new-run.ts'
import { toProgram } from './run.ts'
import { waitingRun } from './test-live-run.ts'

test('a run is no longer running once its end is being written, however long that takes', async () => {
  const caller = { teamId: 'team_a', via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
  const request = { language: 'python' as const, code: '1' }
  const written = Promise.withResolvers<Run>()
  const live = waitingRun(newRun(caller, { request, recorded: toProgram(request) }, {}), {
    recorded: { begun: () => undefined, end: () => written.promise },
  })
  live.enqueue()
  expect(live.isRunning).toBe(false)
  live.set({ status: 'running' })
  expect(live.isRunning).toBe(true)
  const ending = live.leaveQueue()
  expect([live.isRunning, live.run.status]).toEqual([false, 'running'])
  written.resolve({ ...live.run, status: 'cancelled' })
  await ending
  expect([live.isRunning, live.run.status]).toEqual([false, 'cancelled'])
})
