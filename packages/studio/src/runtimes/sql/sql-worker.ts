import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import type { Outcome } from '../runtime-messages.ts'
import { serveRuntime } from '../serve-runtime.ts'

const mostRows = 1_000

interface SqlDatabase {
  exec(options: {
    sql: string
    rowMode: 'array'
    columnNames: string[]
    callback: (row: unknown[]) => false | void
  }): void
}

let database: SqlDatabase

serveRuntime({
  async load(assets) {
    const init = sqlite3InitModule as unknown as (
      options: object,
    ) => Promise<{ oo1: { DB: new (name: string) => SqlDatabase } }>
    const quiet = () => undefined
    // it looks for its file beside itself, and a worker made of text stands nowhere; the file is given
    const Plain = URL
    globalThis.URL = class extends Plain {
      constructor(address: string | URL, base?: string | URL) {
        super(address, String(base).startsWith('blob:') ? 'https://nowhere.invalid/' : base)
      }
    }
    const { oo1 } = await init({ wasmBinary: assets['sqlite3.wasm'], print: quiet, printErr: quiet })
    globalThis.URL = Plain
    database = new oo1.DB(':memory:')
  },

  async run({ code }, print): Promise<Outcome> {
    const columns: string[] = []
    const rows: unknown[][] = []
    let isCut = false
    try {
      database.exec({
        sql: code,
        rowMode: 'array',
        columnNames: columns,
        callback(row) {
          if (rows.length < mostRows) rows.push(row.map(toValue))
          else isCut = true
          return isCut ? false : undefined
        },
      })
    } catch (error) {
      const message = (error as Error).message.replace(/^SQLITE_ERROR: sqlite3 result code \d+: /, '')
      return { status: 'failed', error: { kind: /syntax/.test(message) ? 'syntax' : 'runtime', message } }
    }
    if (columns.length === 0) return { status: 'succeeded' }
    print(
      'stdout',
      `${toTable(columns, rows)}\n${isCut ? `The first ${mostRows} rows.` : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`}\n`,
    )
    return { status: 'succeeded' }
  },
})

function toValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Uint8Array ? `${value.length} bytes` : value
}

function toTable(columns: string[], rows: unknown[][]): string {
  const cells = [columns, ...rows.map((row) => row.map((one) => (one === null ? 'NULL' : String(one))))]
  const widths = columns.map((_, at) => Math.min(40, Math.max(...cells.map((row) => row[at]?.length ?? 0))))
  const line = (row: string[]) =>
    row
      .map((one, at) => (one.length > 40 ? `${one.slice(0, 39)}…` : one).padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  const [head = [], ...rest] = cells
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rest.map(line)].join('\n')
}
