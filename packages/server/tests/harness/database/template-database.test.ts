import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openStore, parseDatabaseUrl } from '../../../src/base/index.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './test-database.ts'

/** Every owner, right and rule of our schemas, whatever the roles are called. */
async function readRights({ name, superuser }: TestDatabase): Promise<string[]> {
  const client = await superuser()
  const { rows } = await client.query<{ line: string }>(`
    SELECT concat_ws(' ', 'schema', nspname, nspowner::regrole, nspacl) AS line FROM pg_namespace WHERE nspname LIKE 'coherex%'
    UNION ALL SELECT concat_ws(' ', 'relation', oid::regclass, relowner::regrole, relacl, relrowsecurity, relforcerowsecurity)
      FROM pg_class WHERE relnamespace::regnamespace::text LIKE 'coherex%'
    UNION ALL SELECT concat_ws(' ', 'column', attrelid::regclass, attname, attacl) FROM pg_attribute WHERE attacl IS NOT NULL
    UNION ALL SELECT concat_ws(' ', 'function', oid::regprocedure, proowner::regrole, proacl)
      FROM pg_proc WHERE pronamespace::regnamespace::text LIKE 'coherex%'
    UNION ALL SELECT concat_ws(' ', 'policy', polrelid::regclass, polname, polroles::regrole[]) FROM pg_policy
    UNION ALL SELECT concat_ws(' ', 'default', defaclrole::regrole, defaclobjtype, defaclacl) FROM pg_default_acl
    UNION ALL SELECT concat_ws(' ', 'role', rolname, rolinherit, rolcanlogin, rolsuper, rolcreaterole, rolbypassrls)
      FROM pg_roles WHERE rolname LIKE current_database() || '%'
    UNION ALL SELECT concat_ws(' ', 'member', roleid::regrole, member::regrole, admin_option, inherit_option, set_option)
      FROM pg_auth_members WHERE member = current_database()::regrole`)
  await client.end()
  const acls = (line: string) => line.replace(/\{[^}]*\}/g, (acl) => acl.slice(1, -1).split(',').toSorted().join())
  return rows.map(({ line }) => acls(line.replaceAll(name, 'owner'))).toSorted()
}

test('a copy of the template has the owners and rights of a database that was migrated', async () => {
  const [copy, fresh] = [await createTestDatabase(), await createEmptyDatabase()]
  try {
    const { database } = await openStore({ owner: parseDatabaseUrl(fresh.url), log: pino({ level: 'silent' }) })
    await database.close()
    const rights = await readRights(fresh)
    expect(rights.length).toBeGreaterThan(100)
    expect(await readRights(copy)).toEqual(rights)
  } finally {
    await copy.drop()
    await fresh.drop()
  }
})

test('a server that starts on a copy finds nothing to migrate', async () => {
  const copy = await createTestDatabase()
  const read = async () => {
    const client = await copy.superuser()
    const { rows } = await client.query('SELECT name, xmin FROM coherex_auth.migration ORDER BY name')
    const { rows: tables } = await client.query(
      `SELECT oid FROM pg_class WHERE relnamespace::regnamespace::text LIKE 'coherex%' ORDER BY oid`,
    )
    await client.end()
    return { rows, tables }
  }
  try {
    const before = await read()
    const { database } = await openStore({ owner: parseDatabaseUrl(copy.url), log: pino({ level: 'silent' }) })
    await database.close()
    expect(await read()).toEqual(before)
  } finally {
    await copy.drop()
  }
})
