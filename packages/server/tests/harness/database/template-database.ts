import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { pino } from 'pino'
import { openStore, parseDatabaseUrl } from '../../../src/base/index.ts'
import { makeDatabase, type TestPostgres } from './make-database.ts'

/** A migrated database that others are copies of. */
export interface TemplateDatabase {
  name: string
  /** What the role that serves requests may do, as statements for `:app_role`. */
  grants: string
}

/** Brings a database forward as a server would at its first start. */
export async function makeTemplateDatabase(postgres: TestPostgres): Promise<TemplateDatabase> {
  const database = await makeDatabase(postgres)
  const { database: opened } = await openStore({
    owner: parseDatabaseUrl(database.url),
    log: pino({ level: 'silent' }),
  })
  await opened.close()
  const superuser = await database.superuser()
  const { rows } = await superuser.query<{ statement: string }>(grantsOf, [`${database.name}_app`])
  // no longer of the role whose things a copy takes over: a database is one of them
  await superuser.query(`ALTER DATABASE ${database.name} OWNER TO postgres`)
  await superuser.end()
  return { name: database.name, grants: rows.map(({ statement }) => statement).join(';\n') }
}

/**
 * Makes the copy `name` belong to the role of that name, as if that had migrated it: roles are the server's, not the
 * database's, so a copy still names those of the template.
 */
export async function takeOver(copy: pg.Client, name: string, template: TemplateDatabase): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  await copy.query(`
    REASSIGN OWNED BY ${template.name} TO ${name};
    DROP OWNED BY ${template.name}_app;
    UPDATE coherex_auth.app_role SET password = '${password}';
    SET ROLE ${name};
    CREATE ROLE ${name}_app LOGIN NOINHERIT PASSWORD '${password}';
    ${template.grants.replaceAll(':app_role', `${name}_app`)};
    RESET ROLE`)
}

const grantsOf = `
  WITH granted AS (
    SELECT format('SCHEMA %I', nspname) AS what, nspacl AS acl FROM pg_namespace
    UNION ALL
    SELECT format('%s %s', CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass), relacl FROM pg_class
    UNION ALL
    SELECT format('FUNCTION %s', oid::regprocedure), proacl FROM pg_proc
  ), columns AS (
    SELECT attrelid::regclass AS relation, attname, privilege_type
    FROM pg_attribute, aclexplode(attacl) WHERE grantee = $1::regrole
  )
  SELECT format('GRANT %s ON %s TO :app_role', string_agg(privilege_type, ', '), what) AS statement
  FROM granted, aclexplode(acl) WHERE grantee = $1::regrole GROUP BY what
  UNION ALL
  SELECT format('GRANT %s (%s) ON TABLE %s TO :app_role', privilege_type, string_agg(quote_ident(attname), ', '), relation)
  FROM columns GROUP BY relation, privilege_type`
