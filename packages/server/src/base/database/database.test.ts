import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
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

test('a call that loses a deadlock is made again, and does once what it does', async () => {
  const superuser = await own.superuser()
  await superuser.query(`
    CREATE TABLE coherex.counted (id integer PRIMARY KEY, count integer);
    INSERT INTO coherex.counted VALUES (1, 0), (2, 0);
    CREATE FUNCTION coherex.count_both(by text) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      UPDATE coherex.counted SET count = count + by::integer WHERE id = 1;
      PERFORM pg_advisory_xact_lock(7);
      UPDATE coherex.counted SET count = count + by::integer WHERE id = 2;
      RETURN (SELECT sum(count) FROM coherex.counted);
    END $$`)
  const watcher = await own.superuser()
  const waits = async (query: string) => {
    const { rowCount } = await watcher.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [query],
    )
    return rowCount
  }
  const lock = (id: number) => superuser.query('SELECT FROM coherex.counted WHERE id = $1 FOR UPDATE', [id])
  await watcher.query('SELECT pg_advisory_lock(7)')
  await superuser.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'`)
  await lock(2)
  const called = database.call('count_both', '1')
  await expect.poll(() => waits('%count_both%')).toBe(1)
  const first = lock(1)
  await expect.poll(() => waits('%counted WHERE id%')).toBe(1)
  // each wants what the other has: whoever begins to wait last finds it, because it is looked for once in each wait
  await watcher.query('SELECT pg_advisory_unlock(7)')
  await first
  await superuser.query('COMMIT')
  expect(await called).toBe(2)
  await Promise.all([superuser.end(), watcher.end()])
})
