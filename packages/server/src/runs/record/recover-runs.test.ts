import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import { openStore, parseDatabaseUrl, type Database } from '../../base/index.ts'
import { pruneRunFiles } from './recover-runs.ts'
import { selectRunFile } from './run-store.ts'

let own: TestDatabase
let database: Database
let superuser: pg.Client

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  superuser = await own.superuser()
  await superuser.query(`INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B')`)
  for (const team of ['team_a', 'team_b']) {
    await superuser.query(
      `INSERT INTO coherex.program (team_id, hash, code, entry, files) VALUES ($1, 'h', '1', 'main.sh', '{}')`,
      [team],
    )
    await superuser.query(
      `INSERT INTO coherex.run (team_id, id, person_id, person_name, server_id, status, language, program_hash, request)
       VALUES ($1, 'run_1', 'person_1', 'Ann', 'server', 'succeeded', 'bash', 'h', '{}')`,
      [team],
    )
  }
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

const keep = (team: string, path: string, hash: string, hours: number) =>
  superuser.query(
    `INSERT INTO coherex.run_file (team_id, run_id, path, size, hash, expires_at)
     VALUES ($1, 'run_1', $2, 1, $3, now() + make_interval(hours => $4))`,
    [team, path, hash, hours],
  )

test('files past their day are not given out, then forgotten, and their bytes released', async () => {
  await keep('team_a', 'old', 'of old', -1)
  await keep('team_a', 'old twin', 'of both', -1)
  await keep('team_a', 'new twin', 'of both', 1)
  await keep('team_b', 'new', 'of old', 1)
  const fileOf = async (path: string) => (await selectRunFile(database, 'team_a', 'run_1', path))?.hash
  expect([await fileOf('old'), await fileOf('old twin'), await fileOf('new twin')]).toEqual([
    ...[undefined, undefined, 'of both'],
  ])

  const released: [string, string[]][] = []
  await pruneRunFiles(database, (teamId, hashes) => void released.push([teamId, hashes.toSorted()]))
  expect(released).toEqual([
    ['team_a', ['of both', 'of old']],
    ['team_b', []],
  ])
  const { rows } = await superuser.query(`SELECT team_id, path FROM coherex.run_file ORDER BY team_id`)
  expect(rows).toEqual([
    { team_id: 'team_a', path: 'new twin' },
    { team_id: 'team_b', path: 'new' },
  ])
})
