import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../access/index.ts'
import { openStore, parseDatabaseUrl, type Blobs, type Database } from '../../base/index.ts'
import type { LiveRun } from '../live-run.ts'
import { newRun } from '../new-run.ts'
import { toProgram } from '../run.ts'
import { waitingRun } from '../test-live-run.ts'
import { recoverRuns } from './recover-runs.ts'
import { RunCheckpoints } from './run-checkpoints.ts'
import { RunRecorder } from './run-recorder.ts'
import { selectRun } from './run-store.ts'
import { toCheckpoint, writeCheckpoints } from './write-checkpoints.ts'
import { toStoredRequest } from './write-runs.ts'

const log = pino({ level: 'silent' })
const startedAt = '2026-01-02T03:04:05.000Z'
const receipt = { name: 'process' as const, reason: 'it is Python', passedOver: [] }

let own: TestDatabase
let database: Database
let superuser: pg.Client
/** Calls of functions, by name. */
let calls: string[]
/** A call is done and its answer lost, as when the connection breaks. */
let loseAnswer: boolean
/** What the database will not have. */
let refused: string | undefined
/** The disk of the database is full. */
let isFull: boolean
let held: Pick<LiveRun, 'id' | 'teamId' | 'run' | 'isRunning'>[]
let checkpoints: RunCheckpoints
let recorder: RunRecorder

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log })).database
  superuser = await own.superuser()
})
beforeEach(async () => {
  await superuser.query(
    `TRUNCATE coherex.team CASCADE; INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B')`,
  )
  calls = []
  held = []
  loseAnswer = false
  refused = undefined
  isFull = false
  const watched: Database = {
    ...database,
    async call(name, argument) {
      calls.push(name)
      if (isFull) throw Object.assign(new Error('No space left on device'), { code: '53100' })
      if (refused && argument.includes(refused)) throw Object.assign(new Error('bad data'), { code: '22P05' })
      const answer = await database.call(name, argument)
      if (!loseAnswer) return answer
      loseAnswer = false
      throw new Error('The connection was lost')
    },
  }
  checkpoints = new RunCheckpoints({ database: watched, log }, () => held)
  // no run here has files
  recorder = new RunRecorder({ database: watched, blobs: {} as Blobs, log, serverId: 'server', checkpoints })
})
afterEach(() => checkpoints.close())
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

/** A run whose code is under way, and whose row is there. */
async function start(teamId = 'team_a') {
  const caller = { teamId, via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
  const request = { language: 'python' as const, code: '1' }
  const program = toProgram(request)
  const live = waitingRun(newRun(caller, { request, recorded: program }, {}), { teamId })
  const stored = toStoredRequest(request)
  const recorded = await recorder.begin({ run: live.run, request: stored, program, caller, durable: true })
  live.set({ status: 'running', runtime: receipt, queuedMs: 7, startedAt })
  const entry = {
    id: live.id,
    teamId,
    isRunning: true,
    get run() {
      return live.run
    },
  }
  held.push(entry)
  const end = () => {
    entry.isRunning = false
    return recorded.end({ ...live.run, status: 'succeeded', endedAt: startedAt }, [])
  }
  return { id: live.id, live, end, print: (text: string) => live.print({ at: 3, stream: 'stdout', text }) }
}

async function pieces() {
  const { rows } = await superuser.query<{ run_id: string; first: number; texts: string[] }>(
    `SELECT run_id, first, jsonb_path_query_array(lines::jsonb, '$[*].text') AS texts FROM coherex.run_output ORDER BY 1, 2`,
  )
  return rows.map(({ run_id: id, first, texts }) => ({ id, first, texts }))
}

/** How many statements wait for a lock that another holds. */
async function waiting() {
  const { rows } = await superuser.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0]?.count
}

function stored(id: string, teamId = 'team_a') {
  return database.transaction({ team: teamId }, (transaction) => selectRun(transaction, teamId, id))
}

test('a run that has ended by the second round costs no query', async () => {
  const { print, end } = await start()
  print('a')
  await checkpoints.keep()
  await end()
  await checkpoints.keep()
  expect(calls).toEqual(['record_runs', 'record_runs'])
})

test('a run that goes on is kept with where it runs, and each of its lines is written once', async () => {
  const { id, print } = await start()
  await checkpoints.keep()
  print('a')
  print('b')
  await checkpoints.keep()
  await checkpoints.keep()
  print('c')
  await checkpoints.keep()
  expect(await pieces()).toEqual([
    { id, first: 0, texts: ['a', 'b'] },
    { id, first: 2, texts: ['c'] },
  ])
  expect(calls).toEqual(['record_runs', 'checkpoint_runs', 'checkpoint_runs'])
  expect(await stored(id)).toMatchObject({
    ...{ status: 'running', runtime: receipt, queuedMs: 7, startedAt, endedAt: null },
    output: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
  })
})

test('a run that prints nothing is kept once, with where it runs', async () => {
  const { id } = await start()
  for (let round = 0; round < 4; round++) await checkpoints.keep()
  expect(calls).toEqual(['record_runs', 'checkpoint_runs'])
  expect(await stored(id)).toMatchObject({ status: 'running', runtime: receipt, output: [] })
})

test('the end takes the place of what was kept, and of nothing else', async () => {
  const [ending, other] = [await start(), await start()]
  for (const { print } of [ending, other]) print('a')
  await checkpoints.keep()
  await checkpoints.keep()
  ending.print('b')
  await ending.end()
  expect(await pieces()).toEqual([{ id: other.id, first: 0, texts: ['a'] }])
  expect(await stored(ending.id)).toMatchObject({ status: 'succeeded', output: [{ text: 'a' }, { text: 'b' }] })
})

test('an end that comes while the run is being kept takes the place of that too', async () => {
  const { id, print, end } = await start()
  print('a')
  await checkpoints.keep()
  const other = await own.superuser()
  await other.query('BEGIN')
  await other.query('SELECT FROM coherex.run WHERE id = $1 FOR UPDATE', [id])
  const keeping = checkpoints.keep()
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 20_000 })
  const ending = end()
  await vi.waitFor(async () => expect(await waiting()).toBe(2), { timeout: 20_000 })
  await other.query('COMMIT')
  await other.end()
  await Promise.all([keeping, ending])
  expect(calls).toEqual(['record_runs', 'checkpoint_runs', 'record_runs'])
  expect(await pieces()).toEqual([])
  expect(await stored(id)).toMatchObject({ status: 'succeeded', output: [{ text: 'a' }] })
})

test('what is kept after the end changes nothing', async () => {
  const { id, live, print, end } = await start()
  print('a')
  const late = toCheckpoint(live.run, { first: 0, lines: [JSON.stringify(live.run.output[0])] })
  await end()
  let isKept = false
  await writeCheckpoints(database, [{ teamId: 'team_a', id, run: late, onKept: () => (isKept = true) }])
  expect([isKept, await pieces()]).toEqual([false, []])
  expect(await stored(id)).toMatchObject({ status: 'succeeded', output: [{ text: 'a' }] })
})

test('a run of another team cannot be kept', async () => {
  const { id, live, print } = await start('team_b')
  print('a')
  const run = toCheckpoint(live.run, { first: 0, lines: [JSON.stringify(live.run.output[0])] })
  let isKept = false
  await writeCheckpoints(database, [{ teamId: 'team_a', id, run, onKept: () => (isKept = true) }])
  expect([isKept, await pieces()]).toEqual([false, []])
  expect(await stored(id, 'team_b')).toMatchObject({ status: 'queued', runtime: null })
})

test('runs of several teams are kept, and a write whose answer was lost is done again without doubling anything', async () => {
  const [one, two] = [await start('team_a'), await start('team_b')]
  one.print('a')
  two.print('b')
  await checkpoints.keep()
  loseAnswer = true
  await checkpoints.keep()
  one.print('c')
  await checkpoints.keep()
  expect(await stored(one.id)).toMatchObject({ output: [{ text: 'a' }, { text: 'c' }] })
  expect(await stored(two.id, 'team_b')).toMatchObject({ output: [{ text: 'b' }] })
})

test('a run that the database refuses holds up no other, and is not tried again', async () => {
  const [bad, good] = [await start(), await start()]
  await checkpoints.keep()
  refused = 'poison'
  bad.print('poison')
  good.print('a')
  await checkpoints.keep()
  calls = []
  bad.print('poison')
  good.print('b')
  await checkpoints.keep()
  expect(calls).toEqual(['checkpoint_runs'])
  expect(await stored(good.id)).toMatchObject({ output: [{ text: 'a' }, { text: 'b' }] })
  expect(await stored(bad.id)).toMatchObject({ status: 'queued', output: [] })
})

test('a run goes on being kept after the database was away for long', async () => {
  const run = await start()
  await checkpoints.keep()
  run.print('a')
  isFull = true
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const round = checkpoints.keep()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  await round
  isFull = false
  run.print('b')
  await checkpoints.keep()
  expect(await pieces()).toEqual([{ id: run.id, first: 0, texts: ['a', 'b'] }])
})

test('a round writes a megabyte at the most, and the next begins with those that were left out', async () => {
  const [loud, quiet] = [await start(), await start()]
  const long = 'x'.repeat(400_000)
  for (let line = 0; line < 6; line++) loud.print(long)
  quiet.print('a')
  await checkpoints.keep()
  await checkpoints.keep()
  const lines = async ({ id }: { id: string }) => (await stored(id))?.output.length
  expect([await lines(loud), await lines(quiet)]).toEqual([2, 1])
  quiet.print(long)
  quiet.print(long)
  await checkpoints.keep()
  expect([await lines(loud), await lines(quiet)]).toEqual([4, 1])
  await checkpoints.keep()
  expect([await lines(loud), await lines(quiet)]).toEqual([4, 3])
  await checkpoints.keep()
  expect([await lines(loud), await lines(quiet)]).toEqual([6, 3])
})

test('a line that is larger than a round is written all the same', async () => {
  const { id, print } = await start()
  print('x'.repeat(3_000_000))
  await checkpoints.keep()
  await checkpoints.keep()
  expect((await stored(id))?.output.length).toBe(1)
})

test('once it was woken, runs are kept without being asked', async () => {
  const { print } = await start()
  print('a')
  checkpoints.wake()
  await vi.waitFor(async () => expect(await pieces()).toMatchObject([{ texts: ['a'] }]), { timeout: 20_000 })
})

test('the next start of a server ends its runs with what was kept, and leaves those of others alone', async () => {
  const [printed, silent, ofAnother] = [await start(), await start(), await start()]
  for (const { print } of [printed, ofAnother]) print('a')
  await checkpoints.keep()
  await checkpoints.keep()
  printed.print('b')
  await checkpoints.keep()
  printed.print('too late')
  await superuser.query(`UPDATE coherex.run SET server_id = 'another' WHERE id = $1`, [ofAnother.id])

  await recoverRuns(database, 'server', log)
  const error = { kind: 'internal', message: expect.stringContaining('The server stopped') as string }
  const ended = { status: 'failed', error, runtime: receipt, startedAt }
  expect(await stored(printed.id)).toMatchObject({
    ...{ ...ended, durationMs: 3, endedAt: expect.any(String) as string },
    output: [{ text: 'a' }, { text: 'b' }],
  })
  expect(await stored(silent.id)).toMatchObject({ ...ended, durationMs: 0, output: [] })
  expect(await stored(ofAnother.id)).toMatchObject({ status: 'running', endedAt: null, output: [{ text: 'a' }] })
  expect(await pieces()).toEqual([{ id: ofAnother.id, first: 0, texts: ['a'] }])
})
