import { join } from 'node:path'
import type { Client } from 'pg'
import { keyProof } from '../access/index.ts'
import {
  applyMigration,
  connectOwner,
  openDataDirectory,
  openStore,
  parseDatabaseUrl,
  pendingOf,
  prepareEmbedded,
  prepareRoles,
  readApplied,
  readMigrations,
  startEmbeddedPostgres,
  StartError,
  withMigrationLock,
  type BlobName,
  type Log,
  type MigrationFile,
} from '../base/index.ts'
import type { Config } from '../config.ts'
import { openBlobs } from '../open-blobs.ts'
import { findSecretKey, secretKeyFile } from '../secret-key.ts'
import { readServerId } from '../server-id.ts'
import { adoptUnfinished } from './adopt-unfinished.ts'
import { readBackup, type BackupEntry, type BackupManifest } from './backup-file.ts'
import { listBackupTables } from './backup-tables.ts'
import { createTableLoader } from './load-table.ts'

export interface RestoredBackup {
  file: string
  createdAt: string
  version: string
  tables: number
  rows: number
  blobs: number
}

export interface RestoreBackupOptions {
  config: Config
  log: Log
  signal: AbortSignal
  file: string
}

/** Fills an empty store. The file is read twice: first to see that it is whole and fits, then to load it. */
export async function restoreBackup({ config, log, signal, file }: RestoreBackupOptions): Promise<RestoredBackup> {
  const manifest = await readBackup(file, async () => signal.throwIfAborted())
  const files = await readMigrations()
  refuseNewer(files, manifest)

  const directory = await openDataDirectory(config.dataDirectory)
  const closers: (() => Promise<void>)[] = [() => directory.release()]
  try {
    const newKey = await keyToKeep(config, manifest)
    const owner = config.databaseUrl ? parseDatabaseUrl(config.databaseUrl) : await startEmbedded()
    const client = await connectOwner(owner)
    closers.push(() => client.end())
    const loaded = await withMigrationLock(client, async () => {
      await refuseData(client, manifest)
      const { appRole } = await prepareRoles(client, owner)
      return load({ client, appRole, files, manifest })
    })
    if (newKey) await directory.privateFile(secretKeyFile, () => newKey)
    // brings older data forward and makes the queue, as a start would
    const { database } = await openStore({ owner, log })
    closers.push(() => database.close())
    await adoptUnfinished(database, await readServerId(directory))
    return { file, createdAt: manifest.createdAt, version: manifest.version, tables: manifest.tables.length, ...loaded }
  } finally {
    for (const close of closers.toReversed()) await close()
  }

  async function startEmbedded() {
    const postgres = await startEmbeddedPostgres(join(config.dataDirectory, 'postgres'))
    closers.push(() => postgres.stop())
    return prepareEmbedded(postgres)
  }

  interface Loading {
    client: Client
    appRole: string
    files: MigrationFile[]
    manifest: BackupManifest
  }

  /** All rows in one transaction. Blobs go first to their place, where without rows nobody sees them. */
  async function load({ client, appRole, files: all, manifest: { migrations } }: Loading) {
    // nobody else uses them yet: what a restore that fails has written goes at once
    const blobs = await openBlobs(config, { graceMs: 0 })
    const written: BlobName[] = []
    await client.query('BEGIN')
    try {
      const applied = await readApplied(client)
      const wanted = all.filter(({ name }) => migrations.some((one) => one.name === name))
      for (const migration of pendingOf(wanted, applied)) await applyMigration(client, appRole, migration)

      const tables = createTableLoader(client, await listBackupTables(client))
      await readBackup(file, async (entry, manifest) => {
        signal.throwIfAborted()
        const [kind, first = '', second = ''] = entry.name.split('/')
        if (kind === 'tables') return tables.load(first, manifest, entry.content)
        if (kind !== 'blobs') throw new StartError(`The backup holds something unknown: ${entry.name}`)
        await loadBlob(entry, { teamId: first, hash: second })
      })
      const rows = await tables.finish()
      await client.query('COMMIT')
      return { rows, blobs: written.length }
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined) // the connection is gone, and the transaction with it
      for (const { teamId, hash } of written) await blobs.remove(teamId, hash)
      throw error
    }

    async function loadBlob({ name, content }: BackupEntry, { teamId, hash }: BlobName): Promise<void> {
      const stored = await blobs.put(teamId, content)
      written.push({ teamId, hash: stored })
      if (stored !== hash) throw new StartError(`The backup is damaged: ${name} is not what its name says`)
    }
  }
}

function refuseNewer(files: MigrationFile[], { migrations, version }: BackupManifest): void {
  const fits = migrations.every(({ name, hash }) => files.some((file) => file.name === name && file.hash === hash))
  if (!fits)
    throw new StartError(
      `The backup is of another Coherex (${version}) with tables this one does not know: restore it with that version`,
    )
}

/** Refuses a store in which anyone or anything is, and one whose tables are ahead of the backup's. */
async function refuseData(client: Client, { migrations }: BackupManifest): Promise<void> {
  const applied = await readApplied(client)
  if (applied.length === 0) return
  const { rows } = await client.query<{ empty: boolean }>(
    'SELECT NOT EXISTS (SELECT FROM coherex_auth.person) AND NOT EXISTS (SELECT FROM coherex_auth.installation) AS empty',
  )
  if (!rows[0]?.empty) throw new StartError('This store has data in it: restore into an empty directory or database')
  if (applied.some(({ name }) => !migrations.some((one) => one.name === name)))
    throw new StartError('The tables of this store are newer than the backup: restore into a fresh database')
}

/** The key that must be written to the data directory, if any. Without the right key the secrets would be lost. */
async function keyToKeep(config: Config, { keyCheck, secretKey }: BackupManifest): Promise<string | undefined> {
  const own = config.secretKey ?? (await findSecretKey(config.dataDirectory))
  if (own && keyProof(own) === keyCheck) return undefined
  const place = join(config.dataDirectory, secretKeyFile)
  if (own) {
    const mend = config.secretKey ? 'set COHEREX_SECRET_KEY to the right one' : `put the right one into ${place}`
    throw new StartError(`The secret key here is not the one this backup was sealed with: ${mend}`)
  }
  if (secretKey && keyProof(secretKey) === keyCheck) return secretKey
  throw new StartError(
    `The backup does not hold its secret key: set COHEREX_SECRET_KEY, or put the secret.key of that installation at ${place}`,
  )
}
