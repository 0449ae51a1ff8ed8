import type { ExecutionSummary } from '@coherex/contract'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import { openStore, parseDatabaseUrl, type Database } from '../../base/index.ts'
import type { ExecutionFilters } from './execution-filters.ts'
import { executionKeysQuery } from './execution-store.ts'
import { listExecutions, type ExecutionDeps } from './list-executions.ts'

let own: TestDatabase
let database: Database
let superuser: pg.Client
let deps: ExecutionDeps

// as createId() makes them: ten digits of time, then what is random
const noon = '01kabcdefg'
const later = '01kabcdefh'
const idOf = (kind: 'turn' | 'run', time: string, random: string) => `${kind}_${time}${random.padEnd(16, '0')}`

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  superuser = await own.superuser()
  deps = { database, liveRun: () => undefined }
  await superuser.query(`
    INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B'), ('team_many', 'Many');
    INSERT INTO coherex.thread (team_id, id, agent_name, sandbox_id, person_id, person_name)
      SELECT team, 'thr_1', 'coder', 'sbx_1', 'per_ann', 'Ann' FROM unnest(ARRAY['team_a', 'team_b', 'team_many']) AS team;
    INSERT INTO coherex.program SELECT team, 'h', E'\nprint("a ship")', 'main.py', '{}'
      FROM unnest(ARRAY['team_a', 'team_b', 'team_many']) AS team`)
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

interface TurnGiven {
  status?: string
  ending?: object | null
  agent?: string
  startedBy?: object
  question?: string
  person?: string
}

async function insertTurn(team: string, id: string, given: TurnGiven = {}): Promise<void> {
  const { status = 'done', ending = { kind: 'answered', message: 'It answered' }, agent = 'coder' } = given
  const { startedBy = { kind: 'person', door: 'studio' }, question = 'What is this?', person = 'per_ann' } = given
  const ended = ['done', 'failed', 'stopped'].includes(status)
  const question_id = id.replace('turn_', 'msg_q')
  const answer_id = id.replace('turn_', 'msg_a')
  for (const [message, role, words] of [
    [question_id, 'user', question],
    [answer_id, 'assistant', 'A short answer'],
  ]) {
    await superuser.query(
      `INSERT INTO coherex.message (team_id, id, thread_id, role, parts, words, author_id, author_name)
       VALUES ($1, $2, 'thr_1', $3, '[]', $4, 'x', 'x')`,
      [team, message, role, words],
    )
  }
  await superuser.query(
    `INSERT INTO coherex.turn (team_id, id, thread_id, agent_name, agent_version, model, status, ending, question_id, answer_id,
       server_id, person_id, person_name, started_by, cost_usd, input_tokens, created_at, started_at, ended_at)
     VALUES ($1, $2, 'thr_1', $3, 1, 'compatible/x', $4, $5, $6, $7, 's', $8, 'Ann', $9, 0.25, 100,
       '2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', $10)`,
    [team, id, agent, status, ended ? JSON.stringify(ending) : null, question_id, answer_id, person]
      .concat(JSON.stringify(startedBy))
      .concat((ended ? '2026-01-02T03:04:08Z' : null) as string),
  )
}

interface RunGiven {
  status?: string
  language?: string
  runtime?: string
  startedBy?: object | null
  person?: string
}

async function insertRun(team: string, id: string, given: RunGiven = {}): Promise<void> {
  const { status = 'succeeded', language = 'python', runtime = 'process', startedBy = null, person = 'per_ann' } = given
  const ended = ['succeeded', 'failed', 'cancelled'].includes(status)
  await superuser.query(
    `INSERT INTO coherex.run (team_id, id, person_id, person_name, server_id, status, language, program_hash, request, receipt,
       output, error, started_by, duration_ms, created_at, ended_at)
     VALUES ($1, $2, $3, 'Ann', 's', $4, $5, 'h', '{"sandboxId":"sbx_1"}', $6, $7, $8, $9, 12.5, '2026-01-02T03:04:05Z', $10)`,
    [team, id, person, status, language, JSON.stringify({ name: runtime })].concat(
      JSON.stringify([{ at: 1, stream: 'stdout', text: 'a ship\n' }]),
      (status === 'failed' ? JSON.stringify({ kind: 'runtime', message: 'It broke' }) : null) as string,
      (startedBy && JSON.stringify(startedBy)) as string,
      (ended ? '2026-01-02T03:04:06Z' : null) as string,
    ),
  )
}

async function list(team: string, filters: ExecutionFilters = {}, limit = 50): Promise<ExecutionSummary[]> {
  return (await listExecutions(deps, team, { ...filters, limit })).items
}

const ids = (items: ExecutionSummary[]) => items.map(({ id }) => id)

describe('listExecutions()', () => {
  const all: string[] = []

  beforeAll(async () => {
    // the same moment, and twice the very same digits after the prefix
    const made: [string, Parameters<typeof insertTurn>[2] | undefined, Parameters<typeof insertRun>[2] | undefined][] =
      [
        [idOf('turn', noon, 'a'), { status: 'failed', ending: { kind: 'interrupted', message: 'Lost' } }, undefined],
        [idOf('run', noon, 'a'), undefined, { status: 'failed', startedBy: { kind: 'key', door: 'api', id: 'key_1' } }],
        [idOf('run', noon, 'b'), undefined, { language: 'javascript', runtime: 'isolate' }],
        [
          idOf('turn', noon, 'c'),
          { status: 'stopped', agent: 'writer', startedBy: { kind: 'schedule', name: 'daily' } },
          undefined,
        ],
        [idOf('run', noon, 'd'), undefined, { status: 'queued', person: 'per_bob' }],
        [idOf('turn', noon, 'e'), { question: 'Where is the 100% harbour?', person: 'per_bob' }, undefined],
        [idOf('turn', later, 'a'), { status: 'waiting' }, undefined],
        [idOf('run', later, 'a'), undefined, { startedBy: { kind: 'agent', id: 'turn_x', name: 'writer' } }],
      ]
    for (const [id, turn, run] of made) {
      if (turn) await insertTurn('team_a', id, turn)
      if (run) await insertRun('team_a', id, run)
      all.push(id)
    }
    await superuser.query(`
      UPDATE coherex.thread SET title = 'Maps of the sea' WHERE team_id = 'team_b';
      INSERT INTO coherex.thread (team_id, id, agent_name, person_id, person_name, title) VALUES ('team_a', 'thr_2', 'coder', 'per_ann', 'Ann', 'Maps of the sea');
      INSERT INTO coherex.message (team_id, id, thread_id, role, parts, words, author_id, author_name) VALUES ('team_a', 'msg_2', 'thr_2', 'user', '[]', '', 'per_ann', 'Ann');
      INSERT INTO coherex.artifact (team_id, id, thread_id, message_id, fence, kind, language, title)
        VALUES ('team_a', 'art_2', 'thr_2', 'msg_2', 0, 'code', 'python', 'Harbour chart');
      UPDATE coherex.run SET thread_id = 'thr_2', artifact_id = 'art_2', artifact_version = 1 WHERE team_id = 'team_a' AND id = '${all[2]}'`)
    await insertTurn('team_b', idOf('turn', noon, 'z'))
    await insertRun('team_b', idOf('run', noon, 'z'))
  })

  // newest first; where the digits are the same, a turn comes before a run
  const inOrder = () => [...[all[6], all[7], all[5], all[4], all[3], all[2], all[0], all[1]]]

  test('tells turns and runs of one team in one order, also those of one moment', async () => {
    expect(ids(await list('team_a'))).toEqual(inOrder())
  })

  test.each([1, 2, 3, 5])('pages of %d show each once, without a gap', async (limit) => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listExecutions(deps, 'team_a', { limit, cursor })
      seen.push(...ids(page.items))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(inOrder())
  })

  test('what comes in meanwhile moves no page', async () => {
    const first = await listExecutions(deps, 'team_a', { limit: 3 })
    const fresh = idOf('run', '01kabcdefj', 'a')
    await insertRun('team_a', fresh)
    const second = await listExecutions(deps, 'team_a', { limit: 50, cursor: first.nextCursor ?? '' })
    await superuser.query('DELETE FROM coherex.run WHERE id = $1', [fresh])
    expect([...ids(first.items), ...ids(second.items)]).toEqual(inOrder())
  })

  test('a cursor that is none of its own is refused', async () => {
    const forged = Buffer.from(JSON.stringify(["turn_x' OR 1=1"])).toString('base64url')
    await expect(listExecutions(deps, 'team_a', { limit: 5, cursor: forged })).rejects.toThrow(
      'not one that this list gave',
    )
  })

  test('another team sees nothing of it, whatever it asks for', async () => {
    expect(ids(await list('team_b'))).toEqual([idOf('turn', noon, 'z'), idOf('run', noon, 'z')])
    expect(await list('team_c')).toEqual([])
  })

  test.each<[string, ExecutionFilters, number[]]>([
    ['kind', { kind: 'run' }, [7, 4, 2, 1]],
    ['status of both', { status: 'failed' }, [0, 1]],
    ['status in the words of runs', { status: 'succeeded' }, [7, 5, 2]],
    ['status of turns', { status: 'waiting' }, [6]],
    ['what has not ended', { status: 'open' }, [6, 4]],
    ['what was given up', { status: 'dead' }, [0]],
    ['stopped by someone', { status: 'cancelled' }, [3]],
    ['agent, with the runs of its turns', { agent: 'writer' }, [7, 3]],
    ['person', { createdBy: 'per_bob' }, [5, 4]],
    ['language', { language: 'javascript' }, [2]],
    ['runtime', { runtime: 'process' }, [7, 4, 1]],
    ['what began it', { startedBy: 'schedule' }, [3]],
    ['what began it, unknown for old runs', { startedBy: 'person', kind: 'run' }, [4, 2]],
    ['words of a question, taken as they are', { search: '100% HARB' }, [5]],
    ['words of an answer, and code', { search: 'sh' }, [6, 7, 5, 4, 3, 2, 0, 1]],
    ['what a run printed', { search: 'a SHIP\n', kind: 'run' }, [7, 4, 2, 1]],
    ['the title of a block', { search: 'harbour chart' }, [2]],
    ['the title of a conversation', { search: 'of the sea', kind: 'run' }, [2]],
    ['several at once', { kind: 'turn', createdBy: 'per_ann', agent: 'coder' }, [6, 0]],
  ])('filters by %s', async (_, filters, expected) => {
    expect(ids(await list('team_a', filters))).toEqual(expected.map((index) => all[index]))
  })

  test('filters by time, from a moment on and up to another', async () => {
    const at = (digits: string) =>
      new Date(
        [...digits].reduce((sum, digit) => sum * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit), 0),
      ).toISOString()
    expect(ids(await list('team_a', { from: at(later) }))).toEqual([all[6], all[7]])
    expect(await list('team_a', { to: at(later) })).toHaveLength(6)
    expect(await list('team_a', { from: at(noon), to: at(noon) })).toEqual([])
  })

  test('says what began a turn, what it was given, what came of it and what it took', async () => {
    const turn = (await list('team_a', { startedBy: 'schedule' }))[0]
    expect(turn).toEqual({
      kind: 'turn',
      id: all[3],
      status: 'cancelled',
      isDead: false,
      startedBy: { kind: 'schedule', name: 'daily' },
      createdBy: { id: 'per_ann', name: 'Ann' },
      input: 'What is this?',
      output: 'A short answer',
      reason: null,
      agent: 'writer',
      threadId: 'thr_1',
      model: 'compatible/x',
      language: null,
      runtime: null,
      sandboxId: 'sbx_1',
      use: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 0, costUsd: 0.25 },
      createdAt: '2026-01-02T03:04:05.000Z',
      startedAt: '2026-01-02T03:04:06.000Z',
      endedAt: '2026-01-02T03:04:08.000Z',
      durationMs: 2000,
      retryOf: null,
      continues: null,
    })
    expect((await list('team_a', { status: 'dead' }))[0]).toMatchObject({
      status: 'failed',
      isDead: true,
      reason: 'Lost',
    })
  })

  test('says the same of a run', async () => {
    expect((await list('team_a', { kind: 'run', status: 'failed' }))[0]).toMatchObject({
      kind: 'run',
      status: 'failed',
      startedBy: { kind: 'key', door: 'api', id: 'key_1' },
      input: '\nprint("a ship")',
      output: 'a ship\n',
      reason: 'It broke',
      language: 'python',
      runtime: 'process',
      sandboxId: 'sbx_1',
      use: null,
      durationMs: 12.5,
    })
  })
})

test('a page out of tens of thousands is read from the primary keys, wherever it begins', async () => {
  const time = `lpad(to_hex(16777216 + i), 10, '0') || '0000000000000000'`
  await superuser.query(`
    INSERT INTO coherex.run (team_id, id, person_id, person_name, server_id, status, language, program_hash, request, ended_at)
      SELECT 'team_many', 'run_' || ${time}, 'per_ann', 'Ann', 's', 'succeeded', 'python', 'h', '{}', now()
      FROM generate_series(1, 12000) AS i;
    INSERT INTO coherex.turn (team_id, id, thread_id, agent_name, agent_version, model, status, question_id, answer_id, server_id,
        person_id, person_name, ended_at)
      SELECT 'team_many', 'turn_' || ${time}, 'thr_1', 'coder', 1, 'm', 'done', 'q', 'a', 's', 'per_ann', 'Ann', now()
      FROM generate_series(1, 6000) AS i;
    ANALYZE coherex.run, coherex.turn`)
  const middle = Buffer.from(
    JSON.stringify([`run_${(16777216 + 5000).toString(16).padStart(10, '0')}0000000000000000`]),
  )
  const query = executionKeysQuery('team_many', { filters: {}, limit: 51, cursor: middle.toString('base64url') })
  const { sql: text, params } = new PgDialect().sqlToQuery(query as NonNullable<typeof query>)
  const plan = await database.transaction({ team: 'team_many' }, async (transaction) => {
    const client = (transaction as unknown as { $client: pg.PoolClient }).$client
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, params)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/Index (Only )?Scan Backward using turn_pkey/)
  expect(plan).toMatch(/Index (Only )?Scan Backward using run_pkey/)
  expect(plan).not.toMatch(/Seq Scan/)
  const page = await listExecutions(deps, 'team_many', { limit: 50, cursor: middle.toString('base64url') })
  expect(page.items).toHaveLength(50)
})
