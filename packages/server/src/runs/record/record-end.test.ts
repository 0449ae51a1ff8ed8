import { defaultQuotas, type Run } from '@coherex/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../../access/index.ts'
import type { ProducedFile } from '../../runtimes/index.ts'
import { newRun } from '../new-run.ts'
import { toProgram } from '../run.ts'
import { waitingRun } from '../test-live-run.ts'
import { recordEnd } from './record-end.ts'
import type { RecordedRun } from './run-recorder.ts'

const caller = { teamId: 'team_a', via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
const file = (path: string, kilobytes: number) => ({ path, bytes: new Uint8Array(kilobytes * 1024) })

const quotas = { ...defaultQuotas, storageMb: 1 }
const quarterUsed = async () => ({ quotas, usedSeconds: 0, storedMb: 0.25 })

/** Ends a run of a team that has 1 MB of storage, a quarter of it used. */
async function end(
  produced: ProducedFile[],
  write: (run: Run) => Promise<Run> = async (run) => run,
  of: () => ReturnType<typeof quarterUsed> = quarterUsed,
) {
  const request = { language: 'python' as const, code: '1' }
  const live = waitingRun(newRun(caller, { request, recorded: toProgram(request) }, {}))
  let kept: string[] = []
  const counted: object[] = []
  const recorded: RecordedRun = {
    begun: () => undefined,
    end(run, files) {
      kept = files.map(({ path }) => path)
      return write(run)
    },
  }
  const allowances = {
    of,
    count: async (_teamId: string, used: object) => void counted.push(used),
  }
  const run: Run = { ...live.run, status: 'succeeded', durationMs: 1500 }
  const ended = await recordEnd({ allowances, log: pino({ level: 'silent' }) }, { live, recorded, run, produced })
  return { ended, kept, counted }
}

test('files are kept while the storage of the team has room, and what was left out is said', async () => {
  const produced = [file('a', 500), file('large', 500), file('b', 268), file('c', 1)]
  const { ended, kept, counted } = await end(produced)
  expect(kept).toEqual(['a', 'b'])
  expect(counted).toEqual([{ seconds: 1.5, bytes: 768 * 1024 }])
  expect(ended).toMatchObject({
    status: 'succeeded',
    output: [{ at: 1500, stream: 'stderr', text: "[2 of 4 files were not kept: the team's storage is full]" }],
  })
})

test('a run keeps its files when nobody can say at that moment how much storage is used', async () => {
  const away = () => Promise.reject(new Error('The database is away'))
  const { ended, kept } = await end([file('a', 500), file('b', 500)], undefined, away)
  expect([ended.status, ended.output, kept]).toEqual(['succeeded', [], ['a', 'b']])
})

test('a run that produced nothing says nothing of it', async () => {
  const { ended, kept } = await end([])
  expect([ended.output, kept]).toEqual([[], []])
})

test('a run whose end could not be written has failed, and its time counts', async () => {
  const { ended, counted } = await end([], () => Promise.reject(new Error('The database is away')))
  expect(ended).toMatchObject({
    status: 'failed',
    error: { kind: 'internal', message: 'The run ended but could not be recorded' },
  })
  expect(counted).toEqual([{ seconds: 1.5, bytes: 0 }])
})
