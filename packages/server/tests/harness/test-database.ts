import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** As an installation's DATABASE_URL: the owner, who is no superuser. */
  url: string
  /** Connected as superuser, who sees every row, for looking behind the product's back. */
  superuser(): Promise<pg.Client>
  drop(): Promise<void>
}

/** A fresh database in the test run's PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { socketDirectory, password } = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  const asSuperuser = async (database: string) => {
    const client = new pg.Client({ host: socketDirectory, user: 'postgres', password, database })
    await client.connect()
    return client
  }
  const admin = await asSuperuser('postgres')
  await admin.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD '${password}'`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
  await admin.end()
  return {
    url: `postgres://${name}:${password}@localhost/${name}?host=${encodeURIComponent(socketDirectory)}`,
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
