import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import { openStore, parseDatabaseUrl, type Database } from '../../base/index.ts'
import { createOAuthClients } from './oauth-clients.ts'

let own: TestDatabase
let database: Database
let query: (text: string) => Promise<{ rows: { id: string }[] }>
let end: () => Promise<void>
beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  const superuser = await own.superuser()
  query = (text) => superuser.query(text)
  end = () => superuser.end()
})
afterAll(async () => {
  await end()
  await database.close()
  await own.drop()
})
beforeEach(() => query('TRUNCATE coherex_auth.oauth_client'))

/** Clients that registered this long ago, and were last let in that long ago. */
const plant = (name: string, number: number, registered: string, used?: string) =>
  query(`INSERT INTO coherex_auth.oauth_client (id, name, redirect_uris, created_at, used_at)
    SELECT '${name}_' || at, 'A client', '{https://a.example/}', now() - interval '${registered}',
      ${used === undefined ? 'NULL' : `now() - interval '${used}'`} FROM generate_series(1, ${number}) AS at`)
const names = async () => {
  const { rows } = await query("SELECT DISTINCT split_part(id, '_', 1) AS id FROM coherex_auth.oauth_client ORDER BY 1")
  return rows.map(({ id }) => id)
}
const register = (more: object = {}) => {
  const clients = createOAuthClients({ database, fetchDocument: undefined as never })
  return clients.register({ redirect_uris: ['https://a.example/'], ...more }, () => undefined)
}

test('register() forgets clients that nobody let in for a day, and those whose grants are over', async () => {
  await plant('unused', 1, '25 hours')
  await plant('waiting', 1, '23 hours')
  await plant('over', 1, '90 days', '32 days')
  await plant('granted', 1, '90 days', '29 days')
  await register()
  expect(await names()).toEqual(['client', 'granted', 'waiting'])
})

test('register() makes room among clients that nobody let in, and refuses where all 1,000 are in use', async () => {
  await plant('granted', 500, '90 days', '1 day')
  await plant('flood', 499, '1 hour')
  await plant('deciding', 1, '1 minute')
  await register()
  expect(await names()).toEqual(['client', 'deciding', 'granted'])
  await plant('more', 498, '90 days', '1 day')
  await expect(register()).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  await query(`UPDATE coherex_auth.oauth_client SET used_at = now() - interval '40 days' WHERE id LIKE 'more%'`)
  await register()
  expect(await names()).toEqual(['client', 'deciding', 'granted'])
})

test('register() names the field that is wrong', async () => {
  await expect(register({ redirect_uris: [] })).rejects.toThrow('redirect_uris: one to ten addresses are needed')
  await expect(register({ client_name: 'x'.repeat(201) })).rejects.toThrow(/^client_name: .*200/)
})
