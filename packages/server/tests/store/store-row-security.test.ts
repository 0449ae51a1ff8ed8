import type { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, parseDatabaseUrl } from '../../src/base/index.ts'
import {
  hasExternalPostgres,
  missingExternalPostgres,
  startExternalPostgres,
} from '../harness/database/external-postgres.ts'
import { findRowSecurityFaults, listTables } from '../harness/database/row-security.ts'
import { createEmptyDatabase, type TestDatabase } from '../harness/database/test-database.ts'

const log = pino({ level: 'silent' })
const safe = 'team_id text NOT NULL, id text NOT NULL, PRIMARY KEY (team_id, id)'
const secured = (
  table: string,
) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_team ON ${table} USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO :app;`

/** Each must be seen by the same check that finds nothing in the product. */
const planted: [title: string, sql: string, fault: RegExp][] = [
  [
    'a table without row-level security',
    `CREATE TABLE coherex.plant (${safe}); GRANT SELECT ON coherex.plant TO :app`,
    /plant has no row-level security/,
  ],
  [
    'a table whose owner is not bound',
    `CREATE TABLE coherex.plant (${safe}); ${secured('coherex.plant')} ALTER TABLE coherex.plant NO FORCE ROW LEVEL SECURITY`,
    /plant does not force/,
  ],
  [
    'a table without a policy',
    `CREATE TABLE coherex.plant (${safe}); ALTER TABLE coherex.plant ENABLE ROW LEVEL SECURITY; ALTER TABLE coherex.plant FORCE ROW LEVEL SECURITY; GRANT SELECT ON coherex.plant TO :app`,
    /plant: a team sees 0 rows/,
  ],
  [
    'a table without a team',
    'CREATE TABLE coherex.plant (id text PRIMARY KEY); ALTER TABLE coherex.plant ENABLE ROW LEVEL SECURITY',
    /plant has no team_id/,
  ],
  [
    'a table in a schema of its own',
    `CREATE SCHEMA more; CREATE TABLE more.plant (${safe})`,
    /more\.plant has no row-level security/,
  ],
  [
    'a policy that shows everything',
    `CREATE TABLE coherex.plant (${safe}); ${secured('coherex.plant')} CREATE POLICY all_rows ON coherex.plant FOR SELECT USING (true)`,
    /plant: without a team its rows can be read/,
  ],
  [
    'a policy that checks nothing on writing',
    `CREATE TABLE coherex.plant (${safe}); ${secured('coherex.plant')} CREATE POLICY adds ON coherex.plant FOR INSERT WITH CHECK (true)`,
    /plant: a row can be added for another team/,
  ],
  [
    'a table of a thread that others see',
    `CREATE TABLE coherex.plant (team_id text NOT NULL, thread_id text NOT NULL, PRIMARY KEY (team_id, thread_id)); ${secured('coherex.plant')}`,
    /plant: others see what is of a private thread/,
  ],
  [
    'a table of an agent that others see',
    `CREATE TABLE coherex.plant (team_id text NOT NULL, agent_name text NOT NULL, PRIMARY KEY (team_id, agent_name)); ${secured('coherex.plant')}`,
    /plant: "per_other" sees 1 rows of a private agent/,
  ],
  [
    'a table of a workspace that others see',
    `CREATE TABLE coherex.plant (team_id text NOT NULL, workspace_id text NOT NULL, PRIMARY KEY (team_id, workspace_id)); ${secured('coherex.plant')}`,
    /plant: "per_other" sees 1 rows of a private workspace/,
  ],
  [
    'a unique key across teams',
    `CREATE TABLE coherex.plant (${safe}, slug text UNIQUE); ${secured('coherex.plant')}`,
    /plant has a unique key without team_id/,
  ],
  [
    'a reference across teams',
    `CREATE TABLE coherex.plant (${safe}, parent text REFERENCES coherex.team); ${secured('coherex.plant')}`,
    /plant refers to another table without team_id/,
  ],
  [
    'a view with the rights of its owner',
    'CREATE VIEW coherex.plant AS SELECT * FROM coherex.secret',
    /plant is a view without security_invoker/,
  ],
  [
    'a materialized view',
    'CREATE MATERIALIZED VIEW coherex.plant AS SELECT * FROM coherex.secret',
    /plant is a materialized view/,
  ],
  [
    'a function with the rights of its owner',
    "CREATE FUNCTION coherex.plant() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM coherex.secret'",
    /plant is a function with the rights/,
  ],
  ['a serving role that bypasses it', 'ALTER ROLE :app BYPASSRLS', /more than an ordinary role/],
  ['a serving role that owns a table', 'ALTER TABLE coherex.secret OWNER TO :app', /the serving role owns/],
  ['a serving role in another role', 'GRANT pg_read_all_data TO :app', /is a member of pg_read_all_data/],
  ['a right to truncate', 'GRANT TRUNCATE ON coherex.secret TO :app', /may truncate coherex\.secret/],
]

/** Tables that a plant makes or changes. */
const plantedIn = ['coherex.plant', 'more.plant', 'coherex.secret']

const servers = [
  { name: 'the embedded PostgreSQL', there: true, start: async () => undefined },
  { name: "Debian's PostgreSQL", there: hasExternalPostgres, start: startExternalPostgres },
]

describe.each(servers)('on $name', ({ there, start }) => {
  let server: Awaited<ReturnType<typeof start>>
  let database: TestDatabase
  let client: Client
  let appRole: string

  beforeAll(async () => {
    if (!there) return
    server = await start()
    database = await createEmptyDatabase(server)
    const store = await openStore({ owner: parseDatabaseUrl(database.url), log })
    appRole = store.app.user ?? ''
    await store.database.close()
    client = await database.superuser()
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
    await server?.stop()
  })

  test('no team can learn of another through any table, view, key or function', async ({ skip }) => {
    skip(!there, missingExternalPostgres)
    expect((await listTables(client)).map(({ name }) => name)).toContain('coherex.secret')
    expect(await findRowSecurityFaults(client, appRole)).toEqual([])
  })

  test.for(planted)('the check sees %s', async ([, sql, fault], { skip }) => {
    skip(!there, missingExternalPostgres)
    // the check uses transactions of its own, so the plant is dug out by hand
    await client.query(sql.replaceAll(':app', appRole))
    try {
      expect((await findRowSecurityFaults(client, appRole, plantedIn)).join('\n')).toMatch(fault)
    } finally {
      await uproot(client, appRole)
    }
  })

  test('everything planted was dug out again', async ({ skip }) => {
    skip(!there, missingExternalPostgres)
    expect(await findRowSecurityFaults(client, appRole)).toEqual([])
  })
})

async function uproot(client: Client, appRole: string): Promise<void> {
  const { rows } = await client.query<{ kind: string }>(
    "SELECT relkind AS kind FROM pg_class WHERE oid = to_regclass('coherex.plant')",
  )
  const kind = { r: 'TABLE', v: 'VIEW', m: 'MATERIALIZED VIEW' }[rows[0]?.kind ?? '']
  if (kind) await client.query(`DROP ${kind} coherex.plant`)
  await client.query(`DROP SCHEMA IF EXISTS more CASCADE; DROP FUNCTION IF EXISTS coherex.plant();
    ALTER ROLE ${appRole} NOBYPASSRLS; REVOKE pg_read_all_data FROM ${appRole};
    ALTER TABLE coherex.secret OWNER TO CURRENT_USER; REVOKE TRUNCATE ON coherex.secret FROM ${appRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.secret TO ${appRole}`)
}
