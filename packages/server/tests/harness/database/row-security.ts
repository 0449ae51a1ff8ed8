import { escapeIdentifier, escapeLiteral, type Client } from 'pg'

/** Sign-in comes before a team is known, and the queue is a library's: these two schemas have no teams. */
const withoutTeams = ['coherex_auth', 'coherex_queue']

/** What someone may read before a team is set: each was weighed on its own. Nothing may be written that way. */
const readableWithoutTeam = [
  'coherex.member own_membership',
  'coherex.team own_team',
  'coherex.team list_teams',
  'coherex.invitation by_token',
  'coherex.api_key by_token',
  'coherex.oauth_grant by_token',
  'coherex.trigger by_token',
  'coherex.wake by_token',
  'coherex.tool offered',
  'coherex.tool_version offered',
  'coherex.tool_file offered',
  'coherex.team offers_tools',
]

/** What belongs to a thread is seen with it. These name it, or something of it, and are seen by the team all the same. */
const seenBesideThread: Record<string, string> = {
  'coherex.share': 'what was shared is for those it was shared with, and shows what its sharer sees',
  'coherex.delivery': 'a trigger’s threads stay with the team',
  'coherex.agent_version': 'what an agent proposed is for those who review it',
  'coherex.skill_version': 'what an agent proposed is for those who review it',
  'coherex.tool_version': 'what an agent proposed is for those who review it',
}

/** What belongs to a tool is seen with it, but for these. */
const seenBesideTool: Record<string, string> = {
  'coherex.tool_calls':
    'the end of a call is counted also when its tool is gone; counts are asked for by tools that are seen',
}

/** Columns that say what of a thread a row belongs to, and the tables those are in. */
const ofThread: Record<string, string> = {
  thread_id: 'coherex.thread',
  turn_id: 'coherex.turn',
  answer_id: 'coherex.message',
  run_id: 'coherex.run',
  sandbox_id: 'coherex.sandbox',
  artifact_id: 'coherex.artifact',
}

interface Table {
  name: string
  enabled: boolean
  forced: boolean
}

/**
 * Everything in a database through which one team could learn of another; none when all is well. Needs a superuser.
 * With `probed` rows are put into these tables alone; what the catalogue says is read of all.
 */
export async function findRowSecurityFaults(client: Client, appRole: string, probed?: string[]): Promise<string[]> {
  const faults = [
    ...(await catalogueFaults(client)),
    ...(await policyFaults(client)),
    ...(await roleFaults(client, appRole)),
  ]
  for (const table of await listTables(client)) {
    if (!table.enabled) faults.push(`${table.name} has no row-level security`)
    if (!table.forced) faults.push(`${table.name} does not force row-level security`)
    if (probed && !probed.includes(table.name)) continue
    faults.push(...(await behaviourFaults(client, appRole, table.name)))
    if (!seenBesideThread[table.name]) faults.push(...(await privacyFaults(client, appRole, table.name)))
    faults.push(...(await workspacePrivacyFaults(client, appRole, table.name)))
    if (!seenBesideTool[table.name]) faults.push(...(await definitionPrivacyFaults(client, appRole, table.name)))
  }
  return faults
}

export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT n.nspname || '.' || c.relname AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'f') AND ${isOurs} ORDER BY 1`,
  )
  return rows
}

const isOurs = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND n.nspname NOT IN (${withoutTeams.map(escapeLiteral).join(', ')})`

async function catalogueFaults(client: Client): Promise<string[]> {
  const teamColumn = `(SELECT attnum FROM pg_attribute WHERE attrelid = c.oid AND attname = 'team_id' AND NOT attisdropped)`
  const { rows } = await client.query<{ fault: string }>(
    `SELECT n.nspname || '.' || c.relname || ' has no team_id that must be set' AS fault
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p', 'f') AND ${isOurs} AND NOT EXISTS (SELECT FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname = 'team_id' AND a.attnotnull AND a.atttypid = 'text'::regtype)
     UNION ALL
     SELECT n.nspname || '.' || c.relname || ' has a unique key without team_id: ' || i.indexrelid::regclass
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE i.indisunique AND ${isOurs} AND NOT coalesce(${teamColumn} = ANY(i.indkey), false)
     UNION ALL
     SELECT n.nspname || '.' || c.relname || ' refers to another table without team_id: ' || f.conname
       FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_class t ON t.oid = f.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace
       WHERE f.contype = 'f' AND ${isOurs} AND tn.nspname = n.nspname AND NOT coalesce(${teamColumn} = ANY(f.conkey), false)
     UNION ALL
     SELECT n.nspname || '.' || c.relname || ' is a view without security_invoker'
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'v' AND ${isOurs} AND NOT coalesce(c.reloptions @> '{security_invoker=true}', false)
     UNION ALL
     SELECT n.nspname || '.' || c.relname || ' is a materialized view, which knows no row-level security'
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'm' AND ${isOurs}
     UNION ALL
     SELECT n.nspname || '.' || p.proname || ' is a function with the rights of its owner'
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prosecdef AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`,
  )
  return rows.map(({ fault }) => fault)
}

async function policyFaults(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; command: string; uses: string; checks: string }>(
    `SELECT n.nspname || '.' || c.relname AS table, p.polname AS name, p.polcmd AS command,
            coalesce(pg_get_expr(p.polqual, p.polrelid), '') AS uses,
            coalesce(pg_get_expr(p.polwithcheck, p.polrelid), pg_get_expr(p.polqual, p.polrelid), '') AS checks
     FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE p.polpermissive AND ${isOurs}`,
  )
  const bound = (expression: string) => /^\(?\(team_id = (coherex\.)?current_team\(\)\)( AND |$)/.test(expression)
  return rows.flatMap(({ table, name, command, uses, checks }) => {
    if (command === 'r' && readableWithoutTeam.includes(`${table} ${name}`)) return []
    const faults: string[] = []
    if (command !== 'a' && !bound(uses)) faults.push(`${table} lets ${name} see rows of other teams`)
    if (command !== 'r' && command !== 'd' && !bound(checks))
      faults.push(`${table} lets ${name} write rows of other teams`)
    return faults
  })
}

async function roleFaults(client: Client, appRole: string): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(
    `SELECT 'the serving role is more than an ordinary role' AS fault FROM pg_roles
       WHERE rolname = $1 AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)
     UNION ALL SELECT 'the serving role does not exist' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)
     UNION ALL SELECT 'the serving role is a member of ' || m.roleid::regrole FROM pg_auth_members m WHERE m.member = $1::regrole
     UNION ALL SELECT 'the serving role owns ' || d.objid FROM pg_shdepend d
       WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = $1::regrole AND d.deptype = 'o'
     UNION ALL SELECT 'the serving role may make things in ' || n.nspname FROM pg_namespace n
       WHERE n.nspname !~ '^pg_' AND has_schema_privilege($1, n.oid, 'CREATE')
     UNION ALL SELECT 'the serving role may truncate ' || c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND has_table_privilege($1, c.oid, 'TRUNCATE')`,
    [appRole],
  )
  return rows.map(({ fault }) => fault)
}

const samples: Record<string, string> = {
  text: "'x'",
  boolean: 'true',
  integer: '1',
  bigint: '1',
  'double precision': '1',
  numeric: '1',
  date: 'now()',
  'timestamp with time zone': 'now()',
  json: "'{}'",
  jsonb: "'{}'",
  bytea: "'\\x00'",
  'text[]': "'{}'",
}

/** Puts a row of two teams into the table and tries every way in as the serving role. Leaves nothing behind. */
async function behaviourFaults(client: Client, appRole: string, table: string): Promise<string[]> {
  const quoted = quote(table)
  const faults: string[] = []
  const attempt = async (sql: string): Promise<number | 'refused'> => {
    await client.query('SAVEPOINT attempt')
    try {
      const { rowCount } = await client.query(sql)
      await client.query('ROLLBACK TO attempt')
      return rowCount ?? 0
    } catch (error) {
      await client.query('ROLLBACK TO attempt')
      if ((error as { code?: string }).code === '42501') return 'refused'
      throw error
    }
  }
  const expectNothing = async (what: string, sql: string) => {
    const got = await attempt(sql)
    if (got !== 'refused' && got > 0) faults.push(`${table}: ${what}`)
  }

  await client.query('BEGIN')
  try {
    const insert = await prepareInsert(client, table)
    if (!insert) return [] // without team_id it is a fault already
    for (const team of ['team_a', 'team_b']) {
      await plantThread(client, team, table)
      await client.query(insert(team))
    }
    await client.query(`SET LOCAL ROLE ${escapeIdentifier(appRole)}`)

    await expectNothing('without a team its rows can be read', `SELECT FROM ${quoted}`)
    await expectNothing('without a team its rows can be deleted', `DELETE FROM ${quoted}`)
    await expectNothing('without a team a row can be added', insert('team_c'))
    await client.query("SELECT set_config('app.team', 'team_a', true)")
    const own = await attempt(`SELECT FROM ${quoted}`)
    if (own !== 1) faults.push(`${table}: a team sees ${own} rows where it has one`)
    await expectNothing('rows of another team can be deleted', `DELETE FROM ${quoted} WHERE team_id = 'team_b'`)
    await expectNothing('a row can be added for another team', insert('team_c'))
    await expectNothing(
      'rows of another team can be changed',
      `UPDATE ${quoted} SET team_id = team_id WHERE team_id = 'team_b'`,
    )
    await expectNothing(
      'a row can be given to another team',
      `UPDATE ${quoted} SET team_id = 'team_c' WHERE team_id = 'team_a'`,
    )
    return faults
  } finally {
    await client.query('ROLLBACK')
  }
}

/** Puts a row that belongs to a person's private thread into the table, and looks at it as others. Leaves nothing behind. */
async function privacyFaults(client: Client, appRole: string, table: string): Promise<string[]> {
  const quoted = quote(table)
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname = ANY($2)`,
    [quoted, Object.keys(ofThread)],
  )
  const isThread = table === 'coherex.thread'
  if (columns.length === 0 && !isThread) return []
  await client.query('BEGIN')
  try {
    const insert = await prepareInsert(client, table)
    if (!insert) return []
    await plantThread(client, 'team_a', table)
    await client.query(insert('team_a'))
    if (!isThread) await client.query(`UPDATE ${quoted} SET ${columns.map(({ name }) => `${name} = 'x'`).join(', ')}`)
    await client.query(`UPDATE coherex.thread SET private_to = 'per_author'`)
    await client.query(`SET LOCAL ROLE ${escapeIdentifier(appRole)}`)
    const seenBy = async (person: string, scope = '') => {
      await client.query(
        `SELECT set_config('app.team', 'team_a', true), set_config('app.person', $1, true), set_config('app.scope', $2, true)`,
        [person, scope],
      )
      const changed = await client.query(`SELECT FROM ${quoted}`)
      return changed.rowCount
    }
    const faults: string[] = []
    if ((await seenBy('per_other')) !== 0) faults.push(`${table}: others see what is of a private thread`)
    if ((await seenBy('')) !== 0) faults.push(`${table}: what is of a private thread is seen without a person`)
    if ((await seenBy('per_author')) !== 1) faults.push(`${table}: an author does not see what is of their thread`)
    if ((await seenBy('', 'upkeep')) !== 1) faults.push(`${table}: upkeep does not see what is of a private thread`)
    return faults
  } finally {
    await client.query('ROLLBACK')
  }
}

/** Definitions that may be private, by the column of what belongs to them. */
const ofDefinition: Record<string, string> = {
  agent_name: 'coherex.agent',
  skill_name: 'coherex.skill',
  tool_name: 'coherex.tool',
}

/** Names of agents in tables whose rows are of a thread, or the team's: a private agent has no triggers. */
const ownReach = new Set(
  ['approval', 'delivery', 'sandbox', 'skill_version', 'thread', 'thread_approval', 'trigger', 'turn'].map(
    (name) => `coherex.${name} agent_name`,
  ),
)

/** Puts a row of someone's private definition into the table, and looks at it as others. Leaves nothing behind. */
async function definitionPrivacyFaults(client: Client, appRole: string, table: string): Promise<string[]> {
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND NOT attisdropped AND attname = ANY($2)`,
    [quote(table), Object.keys(ofDefinition)],
  )
  const faults: string[] = []
  for (const [column, heads] of Object.entries(ofDefinition)) {
    const isHead = table === heads
    if (!isHead && !columns.some(({ name }) => name === column)) continue
    if (ownReach.has(`${table} ${column}`)) continue
    await client.query('BEGIN')
    try {
      const insert = await prepareInsert(client, table)
      if (!insert) continue
      await plantThread(client, 'team_a', table)
      await client.query(insert('team_a'))
      // where a row may be of something else, it is of the definition
      if (!isHead) await client.query(`UPDATE ${quote(table)} SET ${column} = 'x'`)
      await client.query(`UPDATE ${heads} SET reach = 'private', created_by = 'per_author'`)
      await client.query(`SET LOCAL ROLE ${escapeIdentifier(appRole)}`)
      for (const [person, count] of [
        ['per_other', 0],
        ['', 0],
        ['per_author', 1],
      ] as const) {
        await client.query(`SELECT set_config('app.team', 'team_a', true), set_config('app.person', $1, true)`, [
          person,
        ])
        const seen = await client.query(`SELECT FROM ${quote(table)}`)
        const noun = heads.split('.')[1]
        if (seen.rowCount !== count)
          faults.push(`${table}: "${person}" sees ${seen.rowCount} rows of a private ${noun}`)
      }
    } finally {
      await client.query('ROLLBACK')
    }
  }
  return faults
}

/** Rows that name a workspace and have a reach of their own. */
const seenBesideWorkspace = new Set(['coherex.sandbox', 'coherex.thread'])

/** Puts a row that belongs to someone's own workspace into the table, and looks at it as others. Leaves nothing behind. */
async function workspacePrivacyFaults(client: Client, appRole: string, table: string): Promise<string[]> {
  const { rows: columns } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'workspace_id' AND NOT attisdropped`,
    [quote(table)],
  )
  const heads = 'coherex.workspace'
  if (table !== heads && (columns.length === 0 || seenBesideWorkspace.has(table))) return []
  await client.query('BEGIN')
  try {
    const insert = await prepareInsert(client, table)
    if (!insert) return []
    if (table !== heads) {
      const head = await prepareInsert(client, heads)
      await client.query(head?.('team_a') ?? '')
      await client.query(insert('team_a'))
      await client.query(`UPDATE ${quote(table)} SET workspace_id = 'x'`)
    } else {
      await client.query(insert('team_a'))
    }
    await client.query(`UPDATE ${heads} SET private_to = 'per_author'`)
    await client.query(`SET LOCAL ROLE ${escapeIdentifier(appRole)}`)
    const faults: string[] = []
    for (const [person, scope, count] of [
      ['per_other', '', 0],
      ['', '', 0],
      ['per_author', '', 1],
      ['', 'upkeep', 1],
    ] as const) {
      await client.query(
        `SELECT set_config('app.team', 'team_a', true), set_config('app.person', $1, true), set_config('app.scope', $2, true)`,
        [person, scope],
      )
      const seen = await client.query(`SELECT FROM ${quote(table)}`)
      if (seen.rowCount !== count)
        faults.push(`${table}: "${person || scope}" sees ${seen.rowCount} rows of a private workspace`)
    }
    return faults
  } finally {
    await client.query('ROLLBACK')
  }
}

/** A thread with a message, a turn, a run and a sandbox, an agent, a skill, a tool and a workspace, all called x, for what refers to them. */
async function plantThread(client: Client, team: string, except: string): Promise<void> {
  for (const table of [...Object.values(ofThread), ...Object.values(ofDefinition), 'coherex.workspace']) {
    if (table === except) continue
    const insert = await prepareInsert(client, table)
    await client.query(`${insert?.(team)} ON CONFLICT DO NOTHING`)
    if (table === 'coherex.run' || table === 'coherex.sandbox')
      await client.query(`UPDATE ${table} SET thread_id = 'x'`)
  }
}

function quote(table: string): string {
  return table.split('.').map(escapeIdentifier).join('.')
}

/** Rows of any shape, without what would refuse them but row-level security: foreign keys and checks. */
async function prepareInsert(client: Client, table: string) {
  const quoted = quote(table)
  await client.query('SET LOCAL session_replication_role = replica')
  const { rows: checks } = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND conrelid = $1::regclass`,
    [quoted],
  )
  for (const { name } of checks) await client.query(`ALTER TABLE ${quoted} DROP CONSTRAINT ${escapeIdentifier(name)}`)
  const { rows: columns } = await client.query<{ name: string; type: string; needed: boolean }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type,
            a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS needed
     FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
    [quoted],
  )
  if (!columns.some(({ name }) => name === 'team_id')) return undefined
  const needed = columns.filter((column) => column.needed && column.name !== 'team_id')
  const values = needed.map(({ name, type }) => {
    const sample = samples[type]
    if (!sample) throw new Error(`${table}.${name} is of type ${type}, which row-security.ts has no sample of`)
    return sample
  })
  const names = ['team_id', ...needed.map(({ name }) => escapeIdentifier(name))].join(', ')
  return (team: string) => `INSERT INTO ${quoted} (${names}) VALUES (${[escapeLiteral(team), ...values].join(', ')})`
}
