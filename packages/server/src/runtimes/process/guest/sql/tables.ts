import type { FromSession, SessionVariable } from '../../../protocol/session-messages.ts'
import type { Engine } from './engine.ts'
import { countOf } from './table.ts'
import { toJson } from './values.ts'

type Variable = Extract<FromSession, { type: 'variable' }>['variable']

const list = `
  SELECT table_name, 'table' AS kind, column_count FROM duckdb_tables() WHERE NOT internal
  UNION ALL
  SELECT view_name, 'view', column_count FROM duckdb_views() WHERE NOT internal
  ORDER BY 1`
const mostRows = 1_000

/** The tables and views of a session, as its variables. A view is not counted: that would run it. */
export async function describeTables(engine: Engine): Promise<SessionVariable[]> {
  const { rows } = await engine.query(list)
  const variables: SessionVariable[] = []
  for (const [name, kind, columns] of rows.map((row) => row.map(toJson))) {
    variables.push(await describeTable(engine, String(name), kind === 'view' ? 'view' : 'table', Number(columns)))
  }
  return variables
}

async function describeTable(engine: Engine, name: string, type: string, columns: number): Promise<SessionVariable> {
  if (type === 'view') return { name, type, value: countOf(columns, 'column') }
  const count = await countRows(engine, name)
  return { name, type, value: `${countOf(count, 'row')}, ${countOf(columns, 'column')}`, shape: [count, columns] }
}

/** A page of one table or view; undefined where there is none of the name. */
export async function readTable(
  engine: Engine,
  { name, offset, limit }: { name: string; offset: number; limit: number },
): Promise<Variable> {
  const variable = (await describeTables(engine)).find((one) => one.name === name)
  if (!variable) return undefined
  const page = await engine.query(
    `SELECT * FROM ${quote(name)} LIMIT ${Math.min(limit, mostRows)} OFFSET ${Math.max(0, Math.floor(offset))}`,
  )
  const total = variable.shape?.[0] ?? (await countRows(engine, name))
  const rows = page.rows.map((row) => row.map(toJson))
  return { ...variable, table: { columns: page.columns, rows, offset, total } }
}

async function countRows(engine: Engine, name: string): Promise<number> {
  const { rows } = await engine.query(`SELECT count(*) FROM ${quote(name)}`)
  return Number(rows[0]?.[0] ?? 0)
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
