import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { getMigrations } from 'better-auth/db/migration'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authOptions } from '../../src/access/sign-in/auth-options.ts'
import { openStore, parseDatabaseUrl, type Store } from '../../src/base/index.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'

/** Tables that only SQL of ours touches. */
const withoutDefinition = ['coherex_auth.app_role', 'coherex_auth.function', 'coherex_auth.migration']

interface Column {
  type: string
  required: boolean
}
type Tables = Record<string, Record<string, Column>>

let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ owner: parseDatabaseUrl(database.url), log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await store.database.close()
  await database.drop()
})

test('the tables in code are the tables in the database, column by column', async () => {
  const migrated = await readCatalogue()
  const defined = await readDefinitions()
  expect(Object.keys(defined).length).toBeGreaterThan(10)
  for (const name of withoutDefinition) delete migrated[name]
  expect(defined).toEqual(migrated)
})

test('better-auth finds nothing to add to our tables', async () => {
  const { toBeCreated, toBeAdded } = await getMigrations(
    authOptions({
      pool: store.database.poolFor('coherex_auth'),
      secret: 'x'.repeat(40),
      publicUrl: 'http://127.0.0.1:4310',
    }),
  )
  expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] })
})

async function readCatalogue(): Promise<Tables> {
  const client = await database.superuser()
  const { rows } = await client.query<Column & { table: string; column: string }>(
    `SELECT n.nspname || '.' || c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS required
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('coherex_auth', 'coherex') AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  await client.end()
  const tables: Tables = {}
  for (const { table, column, type, required } of rows) (tables[table] ??= {})[column] = { type, required }
  return tables
}

async function readDefinitions(): Promise<Tables> {
  const source = fileURLToPath(new URL('../../src', import.meta.url))
  const tables: Tables = {}
  for await (const file of glob(['**/tables.ts', '**/*-table.ts', '**/*-tables.ts'], { cwd: source })) {
    const module = (await import(`${source}/${file}`)) as Record<string, unknown>
    for (const table of Object.values(module)) {
      if (!is(table, PgTable)) continue
      const { schema, name, columns } = getTableConfig(table)
      tables[`${schema}.${name}`] = Object.fromEntries(
        columns.map((column) => [column.name, { type: column.getSQLType(), required: column.notNull }]),
      )
    }
  }
  return tables
}
