import type { Run } from '@coherex/contract'
import { pino } from 'pino'
import type { TeamCaller } from '../access/index.ts'
import { LiveRun, type Acceptance, type LiveRunDeps } from './live-run.ts'
import type { PreparedRun } from './prepare-run.ts'
import { RunQueue } from './queue/run-queue.ts'

/** A run whose turn never comes, so that no other room is asked. */
export function waitingRun(run: Run, given: { teamId?: string; recorded?: Acceptance['recorded'] } = {}): LiveRun {
  const bytes = { waitingBytes: Infinity, waitingBytesPerTeam: Infinity }
  const deps = {
    log: pino({ level: 'silent' }),
    allowances: { count: async () => undefined },
  } as unknown as LiveRunDeps
  return new LiveRun(deps, run, {
    ...{ options: {}, teamSlots: 1, onTurn: () => undefined, onEnd: () => undefined },
    actsFor: {
      ...{ teamId: given.teamId ?? 'team_a', personId: 'person_1', personName: 'Ann' },
      acting: { via: 'key', credentialId: 'key_1', scopes: ['run'] },
    },
    caller: { teamId: given.teamId ?? 'team_a' } as TeamCaller,
    prepared: { request: { language: run.language, code: '1' }, bytes: 0 } as PreparedRun,
    queue: new RunQueue({ slots: 0, waiting: 1, waitingPerTeam: 1, ...bytes }),
    recorded: given.recorded ?? { begun: () => undefined, end: async (ended) => ended },
  })
}
