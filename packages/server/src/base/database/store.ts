import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg, { escapeIdentifier, escapeLiteral, type ClientConfig } from 'pg'
import type { Log } from '../log.ts'
import { installQueue } from '../queue.ts'
import { StartError } from '../start-error.ts'
import { openDatabase, type Database } from './database.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { migrate, pendingOf, readApplied, readFunctions, readMigrations, withMigrationLock } from './migrate.ts'

// what PostgreSQL says while it reads its log after a crash
const startingUp = '57P03'
const recoveryDeadlineMs = 120_000

export interface StoreOptions {
  /** How to connect as the role that owns the schema. */
  owner: ClientConfig
  log: Log
}

/** The two connections of the store, and the database as the product uses it. */
export interface Store {
  owner: ClientConfig
  app: ClientConfig
  database: Database
}

/** Connects as the owner, brings the schema forward, and opens the database as the role that serves requests. */
export async function openStore({ owner, log }: StoreOptions): Promise<Store> {
  const client = await connectOwner(owner)
  try {
    const files = await readMigrations()
    // all of it, because of two that make the same role, schema or grant at once one fails
    return await withMigrationLock(client, async () => {
      // before anything is touched
      pendingOf(files, await readApplied(client))
      const { app, appRole } = await prepareRoles(client, owner)
      await installQueue(owner)
      await migrate({ owner: client, files, functions: await readFunctions(), appRole })
      await grantQueue(client, appRole)
      return { owner, app, database: openDatabase({ connection: app, log, size: 20 }) }
    })
  } finally {
    await client.end()
  }
}

/** The store as it is, beside a server that may be running: nothing is made or changed. */
export async function attachStore({ owner, log }: StoreOptions): Promise<Store> {
  const client = await connectOwner(owner)
  try {
    const applied = await readApplied(client)
    if (applied.length === 0) throw new StartError('There is no data here yet: start Coherex once')
    if (pendingOf(await readMigrations(), applied).length > 0)
      throw new StartError('The data is of an older Coherex: start this version once to bring it forward')
    const app = { ...owner, user: appRoleOf(client), password: await appPassword(client) }
    return { owner, app, database: openDatabase({ connection: app, log, size: 2 }) }
  } finally {
    await client.end()
  }
}

/** The role that serves requests, and how to connect as it. Runs as the owner. */
export async function prepareRoles(
  client: pg.Client,
  owner: ClientConfig,
): Promise<{ app: ClientConfig; appRole: string }> {
  await checkVersion(client)
  await client.query(`CREATE SCHEMA IF NOT EXISTS coherex_auth;
    CREATE TABLE IF NOT EXISTS coherex_auth.app_role (id boolean PRIMARY KEY DEFAULT true CHECK (id), password text NOT NULL)`)
  await client.query('INSERT INTO coherex_auth.app_role (password) VALUES ($1) ON CONFLICT DO NOTHING', [
    randomBytes(24).toString('base64url'),
  ])
  const appRole = appRoleOf(client)
  const password = await appPassword(client)
  const app = { ...owner, user: appRole, password }
  await ensureAppRole({ client, app, appRole, password })
  return { app, appRole }
}

/** How to connect to the embedded server as the owner of the product's database. */
export function embeddedOwner({
  socketDirectory,
  password,
}: Pick<EmbeddedPostgres, 'socketDirectory' | 'password'>): ClientConfig {
  return { host: socketDirectory, user: 'coherex', password, database: 'coherex' }
}

/** Makes the product's role and database in a fresh embedded server, and says how to connect as their owner. */
export async function prepareEmbedded(postgres: EmbeddedPostgres): Promise<ClientConfig> {
  const owner = embeddedOwner(postgres)
  const client = await connectOwner({ ...owner, user: 'postgres', database: 'postgres' })
  try {
    const password = escapeLiteral(postgres.password)
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'coherex') AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = 'coherex') AS database`,
    )
    if (!rows[0]?.role) await client.query(`CREATE ROLE coherex LOGIN CREATEROLE PASSWORD ${password}`)
    if (!rows[0]?.database) await client.query('CREATE DATABASE coherex OWNER coherex')
    return owner
  } finally {
    await client.end()
  }
}

/** Parts of a DATABASE_URL, so that the same host can be reached as another role. */
export function parseDatabaseUrl(url: string): ClientConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const ssl = searchParams.get('sslmode')
  return {
    host: searchParams.get('host') ?? decodeURIComponent(hostname),
    port: Number(port || searchParams.get('port') || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username),
    ...(ssl && ssl !== 'disable' ? { ssl: { rejectUnauthorized: ssl.startsWith('verify') } } : {}),
  }
}

export async function connectOwner(config: ClientConfig): Promise<pg.Client> {
  const deadline = Date.now() + recoveryDeadlineMs
  for (;;) {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 })
    // an error between queries must not end the process; the next query fails with it
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (cause) {
      await client.end().catch(() => undefined) // it never was connected
      if ((cause as { code?: string }).code === startingUp && Date.now() < deadline) {
        await delay(20)
        continue
      }
      const where = config.host?.startsWith('/')
        ? `the database in ${config.host}`
        : `the database at ${config.host}:${config.port ?? 5432}`
      throw new StartError(`Cannot connect to ${where}: ${connectReason(cause)}`, { cause })
    }
  }
}

function connectReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND') return 'there is no such host'
  if (code === '28P01' || code === '28000') return 'user or password are wrong'
  if (code === '3D000') return 'there is no such database'
  return message || String(code)
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version")
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major < 15) throw new StartError(`The database is PostgreSQL ${major}; Coherex needs 15 or newer`)
}

/** Cut before the suffix is added: a role of the database's own name could be the owner. */
function appRoleOf(client: pg.Client): string {
  return `${client.database?.slice(0, 59)}_app`
}

/** The serving role's password, which only the owner can read; every server process on this database uses the same. */
async function appPassword(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ password: string }>('SELECT password FROM coherex_auth.app_role')
  if (!rows[0]) throw new Error('the serving role has no password')
  return rows[0].password
}

async function ensureAppRole(options: {
  client: pg.Client
  app: ClientConfig
  appRole: string
  password: string
}): Promise<void> {
  const { client, app, appRole, password } = options
  const login = `LOGIN NOINHERIT PASSWORD ${escapeLiteral(password)}`
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [appRole])
  try {
    if (!rowCount) await client.query(`CREATE ROLE ${escapeIdentifier(appRole)} ${login}`)
    else if (!(await canConnect(app))) await client.query(`ALTER ROLE ${escapeIdentifier(appRole)} ${login}`)
  } catch (cause) {
    throw new StartError(`The database user cannot make the role "${appRole}": give it CREATEROLE`, { cause })
  }
}

/** Again at each start, because an upgrade of the queue may bring new tables. */
async function grantQueue(client: pg.Client, appRole: string): Promise<void> {
  const role = escapeIdentifier(appRole)
  await client.query(`GRANT USAGE ON SCHEMA coherex_queue TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA coherex_queue TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA coherex_queue TO ${role};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA coherex_queue TO ${role}`)
}

async function canConnect(config: ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined) // the answer below says it all
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
