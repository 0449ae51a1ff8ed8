import type { Run } from '@coherex/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../access/index.ts'
import { diskFullReason, openStore, parseDatabaseUrl, type Blobs, type Database } from '../../base/index.ts'
import type { Program } from '../../runtimes/index.ts'
import { RunRecorder } from './run-recorder.ts'
import { toStoredRequest } from './write-runs.ts'

const log = pino({ level: 'silent' })
let own: TestDatabase
let database: Database
let superuser: pg.Client
let writes = 0
let recorder: RunRecorder

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log })).database
  superuser = await own.superuser()
  await superuser.query(`INSERT INTO coherex.team VALUES ('team_a', 'A')`)
  const counting: Database = {
    ...database,
    call(name, argument) {
      writes++
      return database.call(name, argument)
    },
  }
  // no run here has files
  const checkpoints = { forget: () => false }
  recorder = new RunRecorder({ database: counting, blobs: {} as Blobs, log, serverId: 'server', checkpoints })
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

const at = '2026-01-02T03:04:05.000Z'
const caller: TeamCaller = {
  ...{ teamId: 'team_a', role: 'editor', setupDone: true, via: 'key', credentialId: 'key_1', scopes: ['run'] },
  ...{ ip: null, requestId: null },
  person: { id: 'person_1', name: 'Ann', email: 'ann@example.com', operator: false },
}
const program: Program = {
  ...{ language: 'javascript', code: '1', entry: 'main.js', files: {}, env: {}, packages: [] },
  ...{ typecheck: false, readOnly: false },
}

function begin(id: string, durable: boolean) {
  writes = 0
  const run: Run = {
    ...{ id, status: 'queued', language: 'javascript', runtime: null, output: [], files: [], truncated: false },
    ...{ queuedMs: 0, durationMs: 0, peakMemoryMb: null, createdAt: at, startedAt: null, endedAt: null, codeHash: 'h' },
    ...{ createdBy: { id: 'person_1', name: 'Ann' }, signs: [], requests: [] },
  }
  const request = { language: 'javascript' as const, code: '1' }
  const recorded = recorder.begin({ run, request: toStoredRequest(request), program, caller, durable })
  return { ended: { ...run, status: 'succeeded' as const, endedAt: at }, recorded }
}

async function status(id: string): Promise<string | undefined> {
  const { rows } = await superuser.query<{ status: string }>('SELECT status FROM coherex.run WHERE id = $1', [id])
  return rows[0]?.status
}

test('a run that is not waited for is there before its caller hears of it', async () => {
  const { recorded } = begin('run_1', true)
  await recorded
  expect(await status('run_1')).toBe('queued')
})

test('a run that is waited for and soon ends is written once, however long it waited before its code began', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { recorded, ended } = begin('run_2', false)
  const run = await recorded
  vi.advanceTimersByTime(499)
  run.begun()
  vi.advanceTimersByTime(49)
  expect(writes).toBe(0)
  const written = run.end(ended, [])
  vi.useRealTimers()
  await written
  expect([await status('run_2'), writes]).toEqual(['succeeded', 1])
})

test('a run that is waited for is there a moment after its code began, and ends once', async () => {
  const { recorded, ended } = begin('run_3', false)
  const run = await recorded
  run.begun()
  await vi.waitFor(async () => expect(await status('run_3')).toBe('queued'), { timeout: 10_000 })
  await run.end(ended, [])
  expect([await status('run_3'), writes]).toEqual(['succeeded', 2])
})

test('a run whose code does not begin for long is there all the same', async () => {
  const { recorded, ended } = begin('run_4', false)
  const run = await recorded
  await vi.waitFor(async () => expect(await status('run_4')).toBe('queued'), { timeout: 10_000 })
  await run.end(ended, [])
  expect(await status('run_4')).toBe('succeeded')
})

test('a run whose beginning could not be written is written whole when it ends', async () => {
  const refusing: Database = {
    ...database,
    call(name, argument) {
      if (++writes === 1) return Promise.reject(Object.assign(new Error('no'), { code: '23514' }))
      return database.call(name, argument)
    },
  }
  recorder = new RunRecorder({
    ...{ database: refusing, blobs: {} as Blobs, log, serverId: 'server', checkpoints: { forget: () => false } },
  })
  const { recorded, ended } = begin('run_5', false)
  const run = await recorded
  run.begun()
  await vi.waitFor(() => expect(writes).toBe(1), { timeout: 10_000 })
  await run.end(ended, [])
  expect([await status('run_5'), writes]).toEqual(['succeeded', 2])
  const starts = await superuser.query(`SELECT 1 FROM coherex.audit_event WHERE target_id = 'run_5'`)
  expect(starts.rowCount).toBe(1)
})

test('a run whose files cannot be kept ends all the same, and has not succeeded', async () => {
  const blobs = { put: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' })) } as unknown as Blobs
  recorder = new RunRecorder({ database, blobs, log, serverId: 'server', checkpoints: { forget: () => false } })
  const files = [{ path: 'a', bytes: new Uint8Array(1) }]
  const lost = begin('run_6', true)
  expect(await (await lost.recorded).end({ ...lost.ended, result: 1, files: [{ path: 'a', size: 1 }] }, files)).toEqual(
    {
      ...lost.ended,
      status: 'failed',
      error: { kind: 'internal', message: `The run succeeded but its files could not be kept: ${diskFullReason}` },
    },
  )
  const cancelled = begin('run_7', true)
  await (await cancelled.recorded).end({ ...cancelled.ended, status: 'cancelled' }, files)
  expect([await status('run_6'), await status('run_7')]).toEqual(['failed', 'cancelled'])
})
