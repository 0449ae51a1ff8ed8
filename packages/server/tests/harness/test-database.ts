import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { connectOwner } from '../../src/base/index.ts'

export interface TestDatabase {
  /** As an installation's DATABASE_URL: the owner, who is no superuser. */
  url: string
  /** Connected as superuser, who sees every row, for looking behind the product's back. */
  superuser(): Promise<pg.Client>
  drop(): Promise<void>
}

/** A PostgreSQL server to make databases in. */
export interface TestPostgres {
  /** An address, or the directory of its socket. */
  host: string
  port: number
  password: string
}

/** A fresh database, in the test run's PostgreSQL unless another is given. */
export async function createTestDatabase(postgres: TestPostgres = ownPostgres()): Promise<TestDatabase> {
  const { host, port, password } = postgres
  const name = `test_${randomBytes(6).toString('hex')}`
  const asSuperuser = (database: string) => connectOwner({ host, port, user: 'postgres', password, database })
  const admin = await asSuperuser('postgres')
  await admin.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD '${password}'`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
  await admin.end()
  return {
    url: host.startsWith('/')
      ? `postgres://${name}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
      : `postgres://${name}:${password}@${host}:${port}/${name}`,
    superuser: () => asSuperuser(name),
    async drop() {
      const client = await asSuperuser('postgres')
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await client.query(`DROP ROLE IF EXISTS ${name}_app`)
      await client.query(`DROP ROLE ${name}`)
      await client.end()
    },
  }
}

function ownPostgres(): TestPostgres {
  const { socketDirectory, password } = inject('postgres')
  return { host: socketDirectory, port: 5432, password }
}
