import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { escapeLiteral, type Client } from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import { StartError } from '../base/index.ts'
import type { BackupManifest } from './backup-file.ts'
import { isOfTeams, quoteColumns, quoteTable, type BackupTable } from './backup-tables.ts'

export interface TableLoader {
  /** Adds a piece of a table; the pieces of one table follow each other. */
  load(name: string, manifest: BackupManifest, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Ends the last table and answers how many rows there were. */
  finish(): Promise<number>
}

/**
 * Loads tables with COPY. PostgreSQL refuses that under row-level security, so the force that binds the owner is lifted
 * inside the transaction: no one else ever sees the table without it.
 */
export function createTableLoader(client: Client, known: BackupTable[]): TableLoader {
  let current: OpenTable | undefined
  let rows = 0

  return {
    async load(name, manifest, content) {
      if (current?.table.name !== name) {
        await end()
        current = await begin(name, manifest)
      }
      for await (const chunk of content) await write(current, chunk)
    },
    async finish() {
      await end()
      return rows
    },
  }

  async function begin(name: string, manifest: BackupManifest): Promise<OpenTable> {
    const listed = manifest.tables.find((one) => one.name === name)
    const own = known.find((one) => one.name === name)
    if (!listed || !own || listed.columns.some((column) => !own.columns.includes(column)))
      throw new StartError(`The backup does not fit: this version has no such table as ${name}`)
    if (isOfTeams(listed)) await client.query(`ALTER TABLE ${quoteTable(listed)} NO FORCE ROW LEVEL SECURITY`)
    const stream = client.query(copyFrom(`COPY ${quoteTable(listed)} (${quoteColumns(listed)}) FROM STDIN`))
    const failed = new Promise<never>((_, reject) => stream.once('error', reject))
    failed.catch(() => undefined) // awaited by write() and end()
    return { table: listed, stream, failed }
  }

  async function end(): Promise<void> {
    if (!current) return
    const { table, stream } = current
    current = undefined
    stream.end()
    await finished(stream)
    rows += stream.rowCount
    if (isOfTeams(table)) await client.query(`ALTER TABLE ${quoteTable(table)} FORCE ROW LEVEL SECURITY`)
    await advanceSequences(table)
  }

  /** The next number of a counted column comes after those that were loaded. */
  async function advanceSequences(table: BackupTable): Promise<void> {
    for (const column of table.columns) {
      const target = [quoteTable(table), column].map(escapeLiteral).join(', ')
      const { rows: found } = await client.query<{ sequence: string | null }>(
        `SELECT pg_get_serial_sequence(${target}) AS sequence`,
      )
      if (!found[0]?.sequence) continue
      const sequence = escapeLiteral(found[0].sequence)
      await client.query(
        `SELECT setval(${sequence}, coalesce((SELECT max(${quoteColumns({ ...table, columns: [column] })}) FROM ${quoteTable(table)}), 0) + 1, false)`,
      )
    }
  }
}

interface OpenTable {
  table: BackupTable
  stream: CopyStreamQuery
  /** Rejects when the database refuses what it was given. */
  failed: Promise<never>
}

async function write({ stream, failed }: OpenTable, chunk: Uint8Array): Promise<void> {
  if (stream.destroyed) return failed
  if (stream.write(chunk)) return
  await Promise.race([once(stream, 'drain'), failed])
}
