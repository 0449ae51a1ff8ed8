import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { connectOwner } from '../../../src/base/index.ts'

export interface TestDatabase {
  name: string
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

/** A database and its owner of the same name: an empty one, or a copy of the one that is named. */
export async function makeDatabase({ host, port, password }: TestPostgres, template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const asSuperuser = (database: string) => connectOwner({ host, port, user: 'postgres', password, database })
  const admin = await asSuperuser('postgres')
  await admin.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD '${password}'`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}${template ? ` TEMPLATE ${template}` : ''}`)
  await admin.end()
  return {
    name,
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
