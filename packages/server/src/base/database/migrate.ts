import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escapeIdentifier, type Client } from 'pg'
import { StartError } from '../start-error.ts'

// any fixed number: it is what server processes that start together wait on
const lockKey = 4_310_001

const ownMigrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
const ownFunctions = join(ownMigrations, 'functions')

export interface Migration {
  name: string
  /** SHA-256 of the file, so that a file that was changed later is seen. */
  hash: string
}

export interface MigrationFile extends Migration {
  sql: string
}

/** What this version brings, in order. */
export async function readMigrations(directory = ownMigrations): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      return { name, hash: createHash('sha256').update(sql).digest('hex'), sql }
    }),
  )
}

/** The functions of the schema as this version has them: unlike a migration, such a file is changed in place. */
export const readFunctions = (): Promise<MigrationFile[]> => readMigrations(ownFunctions)

/** What a database has, in order; none when it is not ours yet. */
export async function readApplied(owner: Client): Promise<Migration[]> {
  const { rows } = await owner.query<{ there: boolean }>(
    "SELECT to_regclass('coherex_auth.migration') IS NOT NULL AS there",
  )
  if (!rows[0]?.there) return []
  return (await owner.query<Migration>('SELECT name, hash FROM coherex_auth.migration ORDER BY name')).rows
}

/** The migrations that `applied` still lacks. Refuses what was written by a newer version or by other files. */
export function pendingOf(files: MigrationFile[], applied: Migration[]): MigrationFile[] {
  const unknown = applied.find(({ name }) => !files.some((file) => file.name === name))
  if (unknown) {
    throw new StartError(
      `The data was written by a newer Coherex (it has ${unknown.name}): start that version, or restore a backup`,
    )
  }
  const before = new Map(applied.map(({ name, hash }) => [name, hash]))
  const changed = files.find(({ name, hash }) => before.has(name) && before.get(name) !== hash)
  if (changed) throw new StartError(`Migration ${changed.name} was changed after it had been applied to this database`)
  return files.filter(({ name }) => !before.has(name))
}

/** One process at a time makes or changes the schema. The lock counts: who holds it may take it again. */
export async function withMigrationLock<T>(owner: Client, work: () => Promise<T>): Promise<T> {
  await owner.query('SELECT pg_advisory_lock($1)', [lockKey])
  try {
    return await work()
  } finally {
    // a connection that broke has let go of it already
    await owner.query('SELECT pg_advisory_unlock($1)', [lockKey]).catch(() => undefined)
  }
}

export interface MigrateOptions {
  /** Connected as the owner. */
  owner: Client
  /** The role that serves requests; `:app_role` in a migration. */
  appRole: string
  files: MigrationFile[]
  functions?: MigrationFile[]
}

/** Brings the schema forward, one transaction for each file. There is no way back. */
export async function migrate({ owner, appRole, files, functions = [] }: MigrateOptions): Promise<void> {
  await withMigrationLock(owner, async () => {
    for (const file of pendingOf(files, await readApplied(owner))) {
      await owner.query('BEGIN')
      try {
        await applyMigration(owner, appRole, file)
        await owner.query('COMMIT')
      } catch (cause) {
        await owner.query('ROLLBACK')
        throw new Error(`Migration ${file.name} failed: ${(cause as Error).message}`, { cause })
      }
    }
    await replaceFunctions({ owner, appRole, functions })
  })
}

/** Applies one file inside the transaction of the caller. */
export async function applyMigration(
  owner: Client,
  appRole: string,
  { name, hash, sql }: MigrationFile,
): Promise<void> {
  await owner.query('CREATE SCHEMA IF NOT EXISTS coherex_auth')
  await owner.query(
    'CREATE TABLE IF NOT EXISTS coherex_auth.migration (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  await owner.query(sql.replaceAll(':app_role', escapeIdentifier(appRole)))
  await owner.query('INSERT INTO coherex_auth.migration (name, hash) VALUES ($1, $2)', [name, hash])
}

/** Makes the functions anew whose file has changed since they were made. */
async function replaceFunctions({
  owner,
  appRole,
  functions,
}: Required<Pick<MigrateOptions, 'owner' | 'appRole' | 'functions'>>): Promise<void> {
  if (functions.length === 0) return
  await owner.query('CREATE TABLE IF NOT EXISTS coherex_auth.function (name text PRIMARY KEY, hash text NOT NULL)')
  const { rows } = await owner.query<Migration>('SELECT name, hash FROM coherex_auth.function')
  const made = new Map(rows.map(({ name, hash }) => [name, hash]))
  for (const { name, hash, sql } of functions.filter((one) => made.get(one.name) !== one.hash)) {
    await owner.query('BEGIN')
    try {
      await owner.query(sql.replaceAll(':app_role', escapeIdentifier(appRole)))
      await owner.query(
        'INSERT INTO coherex_auth.function VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash',
        [name, hash],
      )
      await owner.query('COMMIT')
    } catch (cause) {
      await owner.query('ROLLBACK')
      throw new Error(`Function ${name} could not be made: ${(cause as Error).message}`, { cause })
    }
  }
}
