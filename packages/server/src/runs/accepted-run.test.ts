import type { Run } from '@coherex/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { AcceptedRun, type AcceptedRooms } from './accepted-run.ts'
import { LiveRun } from './live-run.ts'
import { newRun } from './new-run.ts'
import type { PreparedRun } from './prepare-run.ts'
import { RunQueue } from './run-queue.ts'
import { toProgram } from './run.ts'

test('a run is no longer running once its end is being written, however long that takes', async () => {
  const caller = { teamId: 'team_a', via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
  const request = { language: 'python' as const, code: '1' }
  const live = new LiveRun(newRun(caller, { request, recorded: toProgram(request) }, {}), {
    ...{ teamId: 'team_a', personId: 'person_1' },
  })
  const written = Promise.withResolvers<Run>()
  const accepted = new AcceptedRun(
    // its turn never comes, so no other room is asked
    { log: pino({ level: 'silent' }), grants: { count: async () => undefined } } as unknown as AcceptedRooms,
    {
      ...{ live, options: {}, teamSlots: 1, onTurn: () => undefined, onEnd: () => undefined },
      actsFor: {
        teamId: 'team_a',
        personId: 'person_1',
        personName: 'Ann',
        acting: { via: 'key', credentialId: 'key_1', scopes: ['run'] },
      },
      prepared: { request } as PreparedRun,
      queue: new RunQueue({
        slots: 0,
        waiting: 1,
        waitingPerTeam: 1,
        waitingBytes: Infinity,
        waitingBytesPerTeam: Infinity,
      }),
      recorded: { begun: () => undefined, end: () => written.promise },
    },
  )
  accepted.enqueue()
  expect(accepted.isRunning).toBe(false)
  live.set({ status: 'running' })
  expect(accepted.isRunning).toBe(true)
  const ending = accepted.leaveQueue()
  expect([accepted.isRunning, live.run.status]).toEqual([false, 'running'])
  written.resolve({ ...live.run, status: 'cancelled' })
  await ending
  expect([accepted.isRunning, live.run.status]).toEqual([false, 'cancelled'])
})
