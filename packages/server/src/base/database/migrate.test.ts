import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import { migrate, readApplied, readMigrations, withMigrationLock } from './migrate.ts'
import { connectOwner, openStore, parseDatabaseUrl } from './store.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let directory: string
let owner: Client

beforeEach(async () => {
  database = await createEmptyDatabase()
  directory = await mkdtemp(join(tmpdir(), 'coherex-migrations-'))
  owner = await connectOwner(parseDatabaseUrl(database.url))
})
afterEach(async () => {
  await owner.end()
  await database.drop()
  await rm(directory, { recursive: true })
})

const open = () => openStore({ owner: parseDatabaseUrl(database.url), log })
const write = (name: string, sql: string) => writeFile(join(directory, name), sql)
const bringFunction = async (sql: string) => {
  const files = await readMigrations(directory)
  await migrate({ owner, appRole: 'nobody', files, functions: [{ name: 'f.sql', hash: sql, sql }] })
}
const bring = async () => migrate({ owner, appRole: 'nobody', files: await readMigrations(directory) })

test('three servers that start at once on a fresh database all get ready, and each file is applied once', async () => {
  const stores = await Promise.all([open(), open(), open()])
  await Promise.all(stores.map((store) => store.database.close()))
  expect(await readApplied(owner)).toEqual((await readMigrations()).map(({ name, hash }) => ({ name, hash })))
})

test('migrate() waits for whoever holds the lock', async () => {
  await write('0001_a.sql', 'CREATE TABLE a ()')
  const other = await connectOwner(parseDatabaseUrl(database.url))
  const watcher = await database.superuser()
  let done = false
  const waiting = await withMigrationLock(other, async () => {
    const migrating = bring().then(() => (done = true))
    for (;;) {
      const { rows } = await watcher.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
      if (rows.length > 0) break
    }
    expect(done).toBe(false)
    return { migrating }
  })
  await waiting.migrating
  expect(done).toBe(true)
  await other.end()
  await watcher.end()
})

test('openStore() refuses data of a newer version in one sentence and changes nothing', async () => {
  await (await open()).database.close()
  await owner.query("INSERT INTO coherex_auth.migration (name, hash) VALUES ('9999_future.sql', 'x')")
  await owner.query('DROP SCHEMA coherex_queue CASCADE')
  await expect(open()).rejects.toThrow(
    'The data was written by a newer Coherex (it has 9999_future.sql): start that version, or restore a backup',
  )
  expect((await owner.query("SELECT to_regnamespace('coherex_queue') AS queue")).rows).toEqual([{ queue: null }])
})

test('openStore() refuses a migration that was changed after it had been applied', async () => {
  await (await open()).database.close()
  await owner.query("UPDATE coherex_auth.migration SET hash = 'x' WHERE name = '0001_people_and_teams.sql'")
  await expect(open()).rejects.toThrow('Migration 0001_people_and_teams.sql was changed after it had been applied')
})

test('a migration that fails leaves nothing of itself, and goes on from there once it is mended', async () => {
  await write('0001_a.sql', 'CREATE TABLE a (id text)')
  await write('0002_b.sql', "CREATE TABLE b (id text); INSERT INTO a VALUES ('half'); SELECT 1 / 0")
  await expect(bring()).rejects.toThrow('Migration 0002_b.sql failed: division by zero')
  expect((await owner.query("SELECT to_regclass('b') AS b, (SELECT count(*) FROM a) AS rows")).rows).toEqual([
    { b: null, rows: 0 },
  ])
  expect((await readApplied(owner)).map(({ name }) => name)).toEqual(['0001_a.sql'])

  await write('0002_b.sql', 'CREATE TABLE b (id text)')
  await bring()
  expect((await readApplied(owner)).map(({ name }) => name)).toEqual(['0001_a.sql', '0002_b.sql'])
})

test('migrate() makes a function anew when its file has changed, and leaves it alone otherwise', async () => {
  const answer = (text: string) => `CREATE OR REPLACE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT '${text}' $$`
  const ask = async () => (await owner.query<{ f: string }>('SELECT f()')).rows[0]?.f
  await write('0001_a.sql', 'CREATE TABLE a (id text)')
  await bring()
  await bringFunction(answer('first'))
  expect(await ask()).toBe('first')
  await owner.query(answer('by hand'))
  await bringFunction(answer('first'))
  expect(await ask()).toBe('by hand')
  await bringFunction(answer('second'))
  expect(await ask()).toBe('second')
  await expect(bringFunction('CREATE FUNCTION')).rejects.toThrow('Function f.sql could not be made')
  expect(await ask()).toBe('second')
})
