import { and, eq } from 'drizzle-orm'
import { customType, integer, text } from 'drizzle-orm/pg-core'
import type { Blobs, Transaction } from '../../base/index.ts'
import { coherex, type VersionRow } from './definition-tables.ts'
import { sha256, type Folder } from './folder.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

const fileColumns = (noun: string) => ({
  teamId: text('team_id').notNull(),
  name: text(`${noun}_name`).notNull(),
  version: integer('version').notNull(),
  path: text('path').notNull(),
})

/** The files of every version of a kind, in the database. */
export const fileTable = (noun: string) =>
  coherex.table(`${noun}_file`, { ...fileColumns(noun), bytes: bytes('bytes').notNull() })

/** The files of every version of a kind, as blobs; a row has its bytes itself until the server has put them there. */
export const blobFileTable = (noun: string) =>
  coherex.table(`${noun}_file`, { ...fileColumns(noun), hash: text('hash'), bytes: bytes('bytes') })

type FileTable = ReturnType<typeof fileTable>
type BlobFileTable = ReturnType<typeof blobFileTable>
type At = Pick<VersionRow, 'teamId' | 'name' | 'version'>

/** Where a kind keeps the files of its versions. */
export interface FolderFiles {
  /** Before the transaction that keeps them. */
  prepare?(teamId: string, files: Folder): Promise<void>
  keep(transaction: Transaction, at: At, files: Folder): Promise<void>
  /** What it answers fetches them, once the transaction is over. */
  read(transaction: Transaction, at: At): Promise<() => Promise<Folder>>
}

const isOf = (table: FileTable | BlobFileTable, { teamId, name, version }: At) =>
  and(eq(table.teamId, teamId), eq(table.name, name), eq(table.version, version))

export function filesInTable(table: FileTable): FolderFiles {
  return {
    async keep(transaction, { teamId, name, version }, files) {
      const rows = [...files].map(([path, file]) => ({ teamId, name, version, path, bytes: file }))
      await transaction.insert(table).values(rows)
    },
    async read(transaction, at) {
      const { path, bytes: file } = table
      const rows = await transaction.select({ path, file }).from(table).where(isOf(table, at))
      return async () => new Map(rows.map((row) => [row.path, row.file]))
    },
  }
}

export function filesInBlobs(table: BlobFileTable, blobs: Pick<Blobs, 'put' | 'read'>): FolderFiles {
  async function fetch(teamId: string, hash: string): Promise<Buffer> {
    const body = await blobs.read(teamId, hash)
    if (!body) throw new Error(`the blob ${hash} of a version is gone`)
    return Buffer.concat((await body.toArray()) as Buffer[])
  }
  return {
    async prepare(teamId, files) {
      await Promise.all([...files.values()].map((file) => blobs.put(teamId, file)))
    },
    async keep(transaction, { teamId, name, version }, files) {
      const rows = [...files].map(([path, file]) => ({ teamId, name, version, path, hash: sha256(file) }))
      await transaction.insert(table).values(rows)
    },
    async read(transaction, at) {
      const { path, hash, bytes: file } = table
      const rows = await transaction.select({ path, hash, file }).from(table).where(isOf(table, at))
      return async () => {
        const read = rows.map(async (row) => [row.path, row.file ?? (await fetch(at.teamId, row.hash ?? ''))] as const)
        return new Map(await Promise.all(read))
      }
    },
  }
}
