import { type DuckDBConnection, DuckDBInstance, type DuckDBResult, ResultReturnType } from '@duckdb/node-api'
import { locateError, splitStatements, type SqlError } from './statements.ts'
import type { Table } from './table.ts'

export interface EngineOptions {
  /** Where files may be read and written. */
  directories: string[]
  memoryMb: number
  diskMb: number
}

export type Executed = { table: Table } | { changed: number } | { error: SqlError }

// as many as a data frame of Python hands back; the rest is counted
const mostRows = 1_000
const chunksBetweenCollections = 32
const temporary = '/tmp/.duckdb'

/** A database in memory, before anything is known of its use. */
export function createInstance(): Promise<DuckDBInstance> {
  return DuckDBInstance.create(':memory:', {
    threads: '1',
    temp_directory: temporary,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
}

/** A database that sees the given directories and nothing else. Lives as long as its tables are wanted. */
export async function openEngine(instance: DuckDBInstance, { directories, memoryMb, diskMb }: EngineOptions) {
  const connection = await instance.connect()
  const list = [...directories, temporary].map((path) => `'${path.replaceAll("'", "''")}/'`).join(', ')
  await connection.run(`SET memory_limit = '${memoryMb}MB'`)
  await connection.run(`SET max_temp_directory_size = '${diskMb}MB'`)
  await connection.run('SET errors_as_json = true')
  await connection.run(`SET allowed_directories = [${list}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  return {
    /** Runs a program; `input` is what `getvariable('input')` answers, as JSON. */
    async *execute(code: string, input?: string): AsyncGenerator<Executed> {
      await connection.run('SET VARIABLE input = CAST($1 AS JSON)', [input ?? null])
      yield* execute(connection, code)
    },
    /** A query of our own, whose mistakes are ours. */
    async query(code: string): Promise<Table> {
      const answer = await readResult(await connection.stream(code))
      return answer && 'table' in answer ? answer.table : { columns: [], rows: [], total: 0 }
    },
    interrupt: () => connection.interrupt(),
  }
}

export type Engine = Awaited<ReturnType<typeof openEngine>>

/** Runs statement by statement: what came before a mistake has happened, and the mistake has its place. */
async function* execute(connection: DuckDBConnection, code: string): AsyncGenerator<Executed> {
  for (const statement of splitStatements(code)) {
    try {
      const answer = await readResult(await connection.stream(statement.text))
      if (answer) yield answer
    } catch (error) {
      yield { error: locateError(error instanceof Error ? error.message : String(error), code, statement) }
      return
    }
  }
}

async function readResult(result: DuckDBResult): Promise<Executed | undefined> {
  const rows: Table['rows'] = []
  let total = 0
  let chunks = 0
  // to the last row, because a statement has only happened when it was read to its end
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    total += chunk.rowCount
    // the memory of a chunk is the library's, which V8 does not see: without this it is never full
    if (++chunks % chunksBetweenCollections === 0) globalThis.gc?.()
    if (rows.length < mostRows) rows.push(...chunk.getRows().slice(0, mostRows - rows.length))
  }
  if (result.returnType === ResultReturnType.CHANGED_ROWS) return { changed: Number(rows[0]?.[0] ?? 0) }
  if (result.returnType !== ResultReturnType.QUERY_RESULT) return undefined
  const columns = result.columnNames().map((name, index) => ({ name, type: result.columnType(index).toString() }))
  return { table: { columns, rows, total } }
}
