import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeIdentifier, type Client } from 'pg'
import { StartError } from './start-error.ts'

// any fixed number: it is what server processes that start together wait on
const lockKey = 4_310_001

export interface MigrateOptions {
  /** Connected as the owner. */
  owner: Client
  directory: string
  /** The role that serves requests; `:app_role` in a migration. */
  appRole: string
}

/** Brings the schema forward, one transaction for each file, one process at a time. There is no way back. */
export async function migrate({ owner, directory, appRole }: MigrateOptions): Promise<void> {
  await owner.query('SELECT pg_advisory_lock($1)', [lockKey])
  try {
    await owner.query('CREATE SCHEMA IF NOT EXISTS auth')
    await owner.query(
      'CREATE TABLE IF NOT EXISTS auth.migration (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const files = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
    const { rows } = await owner.query<{ name: string; hash: string }>('SELECT name, hash FROM auth.migration')
    const applied = new Map(rows.map((row) => [row.name, row.hash]))
    refuseNewerData(files, applied)

    for (const name of files) {
      const text = await readFile(join(directory, name), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before === hash) continue
      if (before) throw new StartError(`Migration ${name} was changed after it had been applied to this database`)
      await apply({ owner, name, hash, sql: text.replaceAll(':app_role', escapeIdentifier(appRole)) })
    }
  } finally {
    await owner.query('SELECT pg_advisory_unlock($1)', [lockKey])
  }
}

function refuseNewerData(files: string[], applied: Map<string, string>): void {
  const unknown = [...applied.keys()].find((name) => !files.includes(name))
  if (unknown) {
    throw new StartError(
      `The data was written by a newer Coherex (it has ${unknown}): start that version, or restore a backup`,
    )
  }
}

async function apply({
  owner,
  name,
  hash,
  sql,
}: {
  owner: Client
  name: string
  hash: string
  sql: string
}): Promise<void> {
  await owner.query('BEGIN')
  try {
    await owner.query(sql)
    await owner.query('INSERT INTO auth.migration (name, hash) VALUES ($1, $2)', [name, hash])
    await owner.query('COMMIT')
  } catch (cause) {
    await owner.query('ROLLBACK')
    throw new Error(`Migration ${name} failed`, { cause })
  }
}
