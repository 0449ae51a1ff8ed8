import { escapeIdentifier, type Client } from 'pg'

/** One table of a backup: its name with its schema, and the columns in the order their values are written. */
export interface BackupTable {
  name: string
  columns: string[]
}

/**
 * What a backup leaves out: what belongs to the store and not to the data, and what lives for minutes. Everything else
 * in these schemas is copied, so that a new table is in the backup without a word here. The queue is left out as a
 * whole: its tables are a library's, of whatever version, and schedules are declared at each start. A room that must not
 * lose work says what it owes in a row of its own, and looks there when it starts.
 */
const schemas = ['coherex_auth', 'coherex']
const leftOut = new Set([
  'coherex_auth.migration', // said by the manifest, and made by the migrations themselves
  'coherex_auth.function', // made again at the next start
  'coherex_auth.app_role', // the password of this store's own role
  'coherex_auth.session', // people sign in again, and a session that was ended stays ended
  'coherex_auth.one_time_link',
  'coherex_auth.verification',
  'coherex_auth.attempt',
  'coherex.workspace_presence', // of people who are connected now
])

/** The tables to copy, each after those it refers to. */
export async function listBackupTables(client: Client): Promise<BackupTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(
    `SELECT n.nspname || '.' || c.relname AS name,
            (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
            (SELECT coalesce(array_agg(DISTINCT rn.nspname || '.' || r.relname), '{}') FROM pg_constraint f
              JOIN pg_class r ON r.oid = f.confrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
              WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid) AS refers
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY 1`,
    [schemas],
  )
  const waiting = new Map(rows.filter(({ name }) => !leftOut.has(name)).map((row) => [row.name, row]))
  const ordered: BackupTable[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ refers }) => !refers.some((other) => waiting.has(other)))
    if (!next) throw new Error(`these tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    waiting.delete(next.name)
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}

export function isOfTeams(table: BackupTable): boolean {
  return table.name.startsWith('coherex.')
}

export function quoteTable({ name }: BackupTable): string {
  return name.split('.').map(escapeIdentifier).join('.')
}

export function quoteColumns({ columns }: BackupTable): string {
  return columns.map(escapeIdentifier).join(', ')
}
