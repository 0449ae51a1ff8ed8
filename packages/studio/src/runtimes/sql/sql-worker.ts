import type { SandboxVariable } from '@coherex/contract'
import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import { boundWasm } from '../bound-wasm.ts'
import type { Answer, Outcome, Question } from '../runtime-messages.ts'
import { serveRuntime } from '../serve-runtime.ts'
import { watchMark, type Mark } from '../watch-mark.ts'
import { toBundle, toRecords, type SqlTable } from './show-table.ts'

const mostRows = 1_000

interface SqlDatabase {
  exec(options: {
    sql: string
    rowMode: 'array'
    columnNames: string[]
    callback: (row: unknown[]) => false | void
  }): void
}

interface Sqlite {
  oo1: { DB: new (name: string) => SqlDatabase }
  capi: {
    sqlite3_progress_handler(database: SqlDatabase, steps: number, ask: () => number, argument: number): void
  }
}

// of its machine: some milliseconds
const stepsBetweenLooks = 20_000

let database: SqlDatabase
let mark: Mark

let takenBytes = () => 0

serveRuntime({
  memory: () => takenBytes(),

  async load(assets) {
    takenBytes = boundWasm(512 * 1024 ** 2)
    const init = sqlite3InitModule as unknown as (options: object) => Promise<Sqlite>
    mark = watchMark()
    const quiet = () => undefined
    // it looks for its file beside itself, and a worker made of text stands nowhere; the file is given
    const Plain = URL
    globalThis.URL = class extends Plain {
      constructor(address: string | URL, base?: string | URL) {
        super(address, String(base).startsWith('blob:') ? 'https://nowhere.invalid/' : base)
      }
    }
    const { oo1, capi } = await init({ wasmBinary: assets['sqlite3.wasm'], print: quiet, printErr: quiet })
    globalThis.URL = Plain
    database = new oo1.DB(':memory:')
    capi.sqlite3_progress_handler(database, stepsBetweenLooks, () => mark.signal[0], 0)
  },

  async run({ code, mark: address }, output): Promise<Outcome> {
    mark.follow(address)
    let table: SqlTable
    try {
      table = query(code, mostRows)
    } catch (error) {
      return describe(error as Error, code)
    }
    if (table.columns.length === 0) return { status: 'succeeded' }
    output.display(toBundle(table))
    const records = toRecords(table)
    // its table is what is shown; the result is for programs
    return { status: 'succeeded', ...(JSON.stringify(records).length < 100_000 && { result: records as never }) }
  },

  look,
})

function query(sql: string, most: number): SqlTable {
  const columns: string[] = []
  const rows: unknown[][] = []
  let isCut = false
  database.exec({
    sql,
    rowMode: 'array',
    columnNames: columns,
    callback(row) {
      if (rows.length < most) rows.push(row.map(toValue))
      else isCut = true
      return isCut ? false : undefined
    },
  })
  return { columns, rows, isCut }
}

// casts, lists, structs, files as tables, and words that SQLite does not know
const duckDbWords =
  /::\s*\w|[[{]\s*(?:'|\d)|\b(?:FROM\s+'[^']+\.|(?:QUALIFY|PIVOT|UNPIVOT|SUMMARIZE|EXCLUDE|ASOF|UNNEST|STRUCT|DESCRIBE)\b)/i

function describe({ message: said }: Error, code: string): Outcome {
  if (/SQLITE_NOMEM|out of memory/i.test(said)) {
    const message = 'Out of memory: SQL in the browser may take 512 MB. The server can have more.'
    return { status: 'failed', needsServer: message, error: { kind: 'memory', message } }
  }
  const message = said.replace(/^SQLITE_ERROR: sqlite3 result code \d+: /, '')
  const isUnknown = /no such function:|no such table: (?:read_|.*\.(?:parquet|csv|json)\b)/i.test(message)
  const isDuckDb = isUnknown || (/syntax|unrecognized|no such column/i.test(message) && duckDbWords.test(code))
  return {
    status: 'failed',
    error: { kind: /syntax/.test(message) ? 'syntax' : 'runtime', message },
    ...(isDuckDb && {
      needsServer:
        'SQL in the browser is SQLite. On the server it is DuckDB, with its dialect, lists and structs, Parquet, CSV and JSON.',
    }),
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Tables and views are what SQL has for variables. */
function look(question: Question): Answer {
  const names = query("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name", 1_000).rows
  const summaries = names.map(([name, type]): SandboxVariable => {
    const [[total] = [0]] = query(`SELECT count(*) FROM ${quote(String(name))}`, 1).rows
    const columns = query(`SELECT name FROM pragma_table_info('${String(name).replaceAll("'", "''")}')`, 200).rows
    return {
      ...{ name: String(name), type: String(type), value: columns.join(', ').slice(0, 200) },
      shape: [Number(total), columns.length],
    }
  })
  if (question.about === 'all') return { variables: summaries }
  const summary = summaries.find(({ name }) => name === question.name)
  if (!summary) return { variable: undefined }
  const { offset, limit } = question
  const { columns, rows } = query(
    `SELECT * FROM ${quote(summary.name)} LIMIT ${Math.floor(limit)} OFFSET ${Math.floor(offset)}`,
    limit,
  )
  const total = summary.shape?.[0] ?? rows.length
  return {
    variable: { ...summary, table: { columns: columns.map((name) => ({ name, type: '' })), rows, offset, total } },
  }
}

function toValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Uint8Array ? `${value.length} bytes` : value
}
