import { inject } from 'vitest'
import { makeDatabase, type TestDatabase, type TestPostgres } from './make-database.ts'
import { takeOver } from './template-database.ts'

export type { TestDatabase, TestPostgres }

/** A database with the schema of a server that has just started, in the test run's PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template } = inject('postgres') ?? missingPostgres()
  const database = await makeDatabase(ownPostgres(), template.name)
  const superuser = await database.superuser()
  await takeOver(superuser, database.name, template)
  await superuser.end()
  return database
}

/** A database as an operator gives it to the first server that starts on it. */
export function createEmptyDatabase(postgres: TestPostgres = ownPostgres()): Promise<TestDatabase> {
  return makeDatabase(postgres)
}

function ownPostgres(): TestPostgres {
  const { socketDirectory, password } = inject('postgres') ?? missingPostgres()
  return { host: socketDirectory, port: 5432, password }
}

function missingPostgres(): never {
  throw new Error('Cannot make a database: none is started for a pure test. See scripts/testing/test-needs.mjs')
}
