import type { Run } from '@coherex/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import { openStore, parseDatabaseUrl, type Database } from '../../base/index.ts'
import { toStoredRequest, toStoredRun, writeRuns, type RunWrite } from './write-runs.ts'

let own: TestDatabase
let database: Database
let superuser: pg.Client

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  superuser = await own.superuser()
})
beforeEach(async () => {
  await superuser.query(
    `TRUNCATE coherex.team CASCADE; INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B')`,
  )
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

const at = '2026-01-02T03:04:05.000Z'
const request = { language: 'javascript' as const, code: '1' }

function write(
  teamId: string,
  id: string,
  given: Partial<Run> & { isNew?: boolean; signs?: Run['signs'] } = {},
): RunWrite {
  const { isNew = true, ...changed } = given
  const run: Run = {
    ...{ id, status: 'queued', language: 'javascript', runtime: null, output: [], files: [], truncated: false },
    ...{ queuedMs: 0, durationMs: 0, peakMemoryMb: null, createdAt: at, startedAt: null, endedAt: null, codeHash: 'h' },
    ...{ createdBy: { id: 'person_1', name: 'Ann' }, signs: [], requests: [] },
    ...changed,
  }
  const audit = (action: string) =>
    JSON.stringify({
      ...{
        team_id: teamId,
        id: `audit_${action}_${id}`,
        actor_kind: 'person',
        actor_id: 'person_1',
        actor_name: 'Ann',
      },
      ...{ action, target_kind: 'run', target_id: id, details: {} },
    })
  const program = JSON.stringify({ team_id: teamId, hash: 'h', code: '1', entry: 'main.js', files: {}, created_at: at })
  return {
    teamId,
    run: toStoredRun({ teamId, run, request: toStoredRequest(request), serverId: 'server' }),
    isEnd: run.endedAt !== null,
    beginning: isNew ? { hash: 'h', program, start: audit('run.start') } : undefined,
    files: [],
    alert: run.signs.length > 0 ? audit('run.alert') : undefined,
  }
}

const ended = { status: 'succeeded', durationMs: 500, endedAt: at } as const

async function read() {
  const rows = async (text: string) => (await superuser.query<unknown[]>({ text, rowMode: 'array' })).rows
  return {
    runs: await rows('SELECT team_id, id, status FROM coherex.run ORDER BY 1, 2'),
    audit: await rows('SELECT team_id, action, target_id FROM coherex.audit_event ORDER BY 1, 2, 3'),
    usage: await rows('SELECT team_id, runs::int, run_ms FROM coherex.usage_day ORDER BY 1'),
  }
}

test('writeRuns() writes runs of several teams, each with its program, its audit line and its use', async () => {
  const signs = [{ kind: 'limit-kill' as const, detail: 'too much' }]
  await writeRuns(database, [
    write('team_b', 'run_1', ended),
    write('team_a', 'run_2', { ...ended, signs }),
    write('team_a', 'run_3'),
  ])
  expect(await read()).toEqual({
    runs: [
      ['team_a', 'run_2', 'succeeded'],
      ['team_a', 'run_3', 'queued'],
      ['team_b', 'run_1', 'succeeded'],
    ],
    audit: [
      ['team_a', 'run.alert', 'run_2'],
      ['team_a', 'run.start', 'run_2'],
      ['team_a', 'run.start', 'run_3'],
      ['team_b', 'run.start', 'run_1'],
    ],
    usage: [
      ['team_a', 1, 500],
      ['team_b', 1, 500],
    ],
  })
})

test('writeRuns() ends a run that was begun before, once: what comes after its end changes nothing', async () => {
  await writeRuns(database, [write('team_a', 'run_1')])
  await writeRuns(database, [write('team_a', 'run_1', { ...ended, isNew: false })])
  await writeRuns(database, [write('team_a', 'run_1', { ...ended, status: 'failed', isNew: false })])
  expect(await read()).toEqual({
    runs: [['team_a', 'run_1', 'succeeded']],
    audit: [['team_a', 'run.start', 'run_1']],
    usage: [['team_a', 1, 500]],
  })
})

test('writeRuns() that is done again, because its first answer was lost, writes and counts nothing twice', async () => {
  const signs = [{ kind: 'limit-kill' as const, detail: 'too much' }]
  const writes = [write('team_a', 'run_1', { ...ended, signs }), write('team_b', 'run_2')]
  await writeRuns(database, writes)
  const first = await read()
  await writeRuns(database, writes)
  expect(await read()).toEqual(first)
})

test('writeRuns() cannot write into a team it does not name, and then writes nothing at all', async () => {
  const foreign = { ...write('team_b', 'run_2', ended), teamId: 'team_a' }
  await expect(writeRuns(database, [write('team_a', 'run_1', ended), foreign])).rejects.toThrow(/row-level security/)
  expect(await read()).toEqual({ runs: [], audit: [], usage: [] })
})

test('writeRuns() does not touch a run of another team that has the same id', async () => {
  await writeRuns(database, [write('team_a', 'run_1')])
  await writeRuns(database, [write('team_b', 'run_1', ended)])
  expect((await read()).runs).toEqual([
    ['team_a', 'run_1', 'queued'],
    ['team_b', 'run_1', 'succeeded'],
  ])
})
