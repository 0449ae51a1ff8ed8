import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../log.ts'
import { inChildSpan } from '../trace.ts'
import { actingPerson } from './act-for.ts'

/** A transaction in which row-level security shows what its scope allows. */
export type Transaction = NodePgDatabase

/** What a unit of work may see. With none of these set, product tables look empty. */
export interface Scope {
  team?: string
  /** Whose private rows it sees besides the team's; whoever the work is done for (`actFor`) unless said. Without a team: whose memberships. */
  person?: string
  /** The server's own bookkeeping sees every row of the team, private ones too. Nothing that it reads goes to a caller. */
  upkeep?: true
  /** Hash of a key or link: whoever holds it may see the row it belongs to. */
  token?: string
  /** Lets upkeep list the ids of teams, nothing else of them. */
  listTeams?: true
  /** Reads what teams offer to all others on this server, and nothing else. */
  offered?: true
  /** Opens or seals secrets: waits while a rotation gives them other keys, and holds the next one off. */
  secrets?: true
  /** False: the commit does not wait for the disk, and a crash of the database may lose it. */
  durable?: boolean
}

export interface Database {
  /** One short transaction. Never await a client, a guest or a model inside. */
  transaction<T>(scope: Scope, work: (transaction: Transaction) => Promise<T>): Promise<T>
  /**
   * Calls a function of the schema that sets its own scope and does all of its work in one statement: a single round trip.
   * Resolves to what it returns.
   */
  call(name: string, argument: string): Promise<unknown>
  /** The pool of the serving role, for libraries that bring their own queries, with their schema first. */
  poolFor(schema: string): Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  connection: PoolConfig
  log: Log
  /** Connections at the most. */
  size: number
}

const mostAttempts = 5
const rotationLock = 4_310_002

// bigint columns hold counts far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens the database as the role that owns nothing. */
export function openDatabase({ connection, log, size }: DatabaseOptions): Database {
  const pools = new Map<string, Pool>()
  const transactions = new WeakMap<PoolClient, Transaction>()
  let isClosing = false
  const poolFor = (schema: string) => {
    const known = pools.get(schema)
    if (known) return known
    const pool = new pg.Pool({
      ...connection,
      max: size,
      application_name: 'coherex',
      options: `-c search_path=${schema} -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000`,
    })
    // a connection that breaks must not end the process; the next query gets a fresh one
    pool.on('error', (error) => {
      if (!isClosing) log.warn({ error }, 'a database connection was lost')
    })
    // the pool listens to those that are idle only. Whoever uses this one hears of it from their next query
    pool.on('connect', (client) => client.on('error', () => undefined))
    pools.set(schema, pool)
    return pool
  }

  /** Made once for a connection: it takes longer than a query. */
  const transactionOn = (client: PoolClient) => {
    const made = transactions.get(client) ?? drizzle(traced(client))
    transactions.set(client, made)
    return made
  }

  return {
    poolFor,
    async transaction(scope, work) {
      const client = await poolFor('coherex').connect()
      let broken: Error | undefined
      try {
        await client.query(`BEGIN; ${scopeSql(scope)}`)
        const result = await work(transactionOn(client))
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch((cause: Error) => (broken = cause))
        throw error
      } finally {
        client.release(broken)
      }
    },
    async call(name, argument) {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`not a function: ${name}`)
      const text = `SELECT coherex.${name}($1)`
      const attributes = { 'db.system': 'postgresql', 'db.query.text': text }
      // named, so that each connection parses and plans it once
      const ask = () =>
        inChildSpan(`db call ${name}`, { kind: 'client', attributes }, () =>
          poolFor('coherex').query<Record<string, unknown>>({ name, text, values: [argument] }),
        )
      for (let attempt = 1; ; attempt++) {
        try {
          return (await ask()).rows[0]?.[name]
        } catch (error) {
          // it is one statement: of one that lost to another nothing is done, and the other has what it waited for
          if (!isDeadlock(error) || attempt === mostAttempts) throw error
        }
      }
    },
    async close() {
      isClosing = true
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/** One statement text, so that opening a scope costs one round trip. The values are ids and hashes of ours. */
function scopeSql({ team, token, listTeams, upkeep, offered, secrets, durable = true, ...named }: Scope): string {
  const person = named.person ?? (team === undefined ? undefined : actingPerson())
  const settings = { team, person, token, scope: listTeams ? 'list-teams' : offered ? 'offered' : upkeep && 'upkeep' }
  const calls = Object.entries(settings).map(([name, value = '']) => {
    if (!/^[\w-]*$/.test(value)) throw new Error(`not a scope value: ${name}`)
    return `set_config('app.${name}', '${value}', true)`
  })
  if (secrets) calls.push(`pg_advisory_xact_lock_shared(${rotationLock})`)
  return `SELECT ${calls.join(', ')}${durable ? '' : '; SET LOCAL synchronous_commit = off'}`
}

/** Waits for all who open or seal secrets, and keeps others from it until the transaction ends. */
export async function holdSecrets(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`SELECT pg_advisory_xact_lock(${rotationLock})`)
}

/** Narrows a transaction to a team that became known inside it. */
export async function enterTeam(transaction: Transaction, teamId: string): Promise<void> {
  await transaction.execute(sql`SELECT set_config('app.team', ${teamId}, true)`)
}

/** Lets a transaction see which teams a person is in who became known inside it. */
export async function enterPerson(transaction: Transaction, personId: string): Promise<void> {
  await transaction.execute(sql`SELECT set_config('app.person', ${personId}, true)`)
}

function traced(client: PoolClient): PoolClient {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const wrapped = (...args: unknown[]) => {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
    const name = text.trimStart().split(/\s/, 1)[0] ?? 'query'
    // the text has placeholders, never values
    const attributes = { 'db.system': 'postgresql', 'db.query.text': text.slice(0, 500) }
    return inChildSpan(`db ${name.toLowerCase()}`, { kind: 'client', attributes }, () => query(...args))
  }
  return Object.create(client, { query: { value: wrapped } }) as PoolClient
}
