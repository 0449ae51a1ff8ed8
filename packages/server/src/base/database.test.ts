import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/harness/test-database.ts'
import type { Database } from './database.ts'
import { openStore, parseDatabaseUrl } from './store.ts'

let own: TestDatabase
let database: Database

beforeAll(async () => {
  own = await createTestDatabase()
  ;({ database } = await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) }))
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

test('a connection that breaks between two statements fails its transaction and nothing else', async () => {
  const superuser = await own.superuser()
  const broken = database.transaction({}, async (transaction) => {
    const { rows } = await transaction.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
    const pid = rows[0]?.pid
    await superuser.query('SELECT pg_terminate_backend($1)', [pid])
    // nobody waits for an answer when the end of the connection is heard of
    await expect
      .poll(async () => (await superuser.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount)
      .toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await transaction.execute(sql`SELECT 1`)
  })
  await expect(broken).rejects.toThrow()
  const after = await database.transaction({}, (transaction) => transaction.execute(sql`SELECT 7 AS seven`))
  expect(after.rows).toEqual([{ seven: 7 }])
  await superuser.end()
})
