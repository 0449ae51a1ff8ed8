import { stat } from 'node:fs/promises'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { keyProof } from '../access/index.ts'
import { connectOwner, pendingOf, readApplied, readMigrations, StartError, type Blobs } from '../base/index.ts'
import type { Config } from '../config.ts'
import { openBlobs } from '../open-blobs.ts'
import { findSecretKey } from '../secret-key.ts'
import { createManifest, writeBackup, type BackupWriter } from './backup-file.ts'
import { isOfTeams, listBackupTables, quoteColumns, quoteTable, type BackupTable } from './backup-tables.ts'
import { openBeside } from './open-beside.ts'

// a tar entry says its size first, so a table is written in pieces of about this much
const pieceBytes = 4 * 1024 * 1024

export interface CreatedBackup {
  file: string
  bytes: number
  tables: number
  rows: number
  blobs: number
  holdsKey: boolean
}

export interface CreateBackupOptions {
  config: Config
  version: string
  signal: AbortSignal
  file: string
  withKey: boolean
}

/** Copies everything as it is at one moment, whether the server runs or not. */
export async function createBackup(options: CreateBackupOptions): Promise<CreatedBackup> {
  const { config, version, signal, file, withKey } = options
  if (await stat(file).catch(() => undefined)) throw new StartError(`${file} exists already: choose another name`)
  const beside = await openBeside(config)
  const client = await connectOwner(beside.owner).catch(async (error: unknown) => {
    await beside.close()
    throw error
  })
  try {
    // one snapshot for every table; blobs are read after it, so none that a row of it names can be missing
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const migrations = await readApplied(client)
    if (migrations.length === 0) throw new StartError('There is nothing to back up yet: start Coherex once')
    pendingOf(await readMigrations(), migrations)
    const tables = await listBackupTables(client)
    const keyCheck = await readKeyCheck(client)
    const secretKey = withKey ? await keyToHold(config, keyCheck) : undefined
    const manifest = createManifest({
      version,
      createdAt: new Date().toISOString(),
      migrations,
      keyCheck,
      tables,
      ...(secretKey ? { secretKey } : {}),
    })
    let rows = 0
    let blobs = 0
    const { bytes } = await writeBackup(file, manifest, async (writer) => {
      const teams = await listTeams(client)
      for (const table of tables) rows += await copyTable({ client, writer, signal, teams }, table)
      blobs = await copyBlobs(await openBlobs(config), writer, signal)
    })
    return { file, bytes, tables: tables.length, rows, blobs, holdsKey: secretKey !== undefined }
  } finally {
    await client.end()
    await beside.close()
  }
}

async function readKeyCheck(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ key_check: string }>('SELECT key_check FROM coherex_auth.installation')
  return rows[0]?.key_check ?? null
}

async function keyToHold(config: Config, keyCheck: string | null): Promise<string> {
  const key = config.secretKey ?? (await findSecretKey(config.dataDirectory))
  if (key && keyProof(key) === keyCheck) return key
  throw new StartError(
    `Cannot put the secret key into the backup: ${key ? 'it is not the one of this data' : 'it is not here'}`,
  )
}

async function listTeams(client: Client): Promise<string[]> {
  await client.query("SELECT set_config('app.scope', 'list-teams', true)")
  const { rows } = await client.query<{ team_id: string }>('SELECT team_id FROM coherex.team ORDER BY team_id')
  await client.query("SELECT set_config('app.scope', '', true)")
  return rows.map((row) => row.team_id)
}

interface Copying {
  client: Client
  writer: BackupWriter
  signal: AbortSignal
  teams: string[]
}

/** The owner is bound by row-level security like everyone else, so it reads team by team. */
async function copyTable(copying: Copying, table: BackupTable): Promise<number> {
  const { client, teams } = copying
  const pieces = { count: 0 }
  const select = `SELECT ${quoteColumns(table)} FROM ${quoteTable(table)}`
  if (!isOfTeams(table)) return copyRows(copying, table, pieces, select)
  let rows = 0
  for (const team of teams) {
    await client.query("SELECT set_config('app.team', $1, true), set_config('app.scope', 'upkeep', true)", [team])
    // besides the team's rows, policies may show some of other teams
    rows += await copyRows(copying, table, pieces, `${select} WHERE team_id = coherex.current_team()`)
  }
  return rows
}

async function copyRows(
  { client, writer, signal }: Copying,
  table: BackupTable,
  pieces: { count: number },
  select: string,
): Promise<number> {
  const stream = client.query(copyTo(`COPY (${select}) TO STDOUT`))
  let waiting: Buffer[] = []
  let size = 0
  const flush = async () => {
    if (size === 0) return
    pieces.count += 1
    const name = `tables/${table.name}/${String(pieces.count).padStart(6, '0')}`
    await writer.add(name, size, waiting)
    waiting = []
    size = 0
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    waiting.push(chunk)
    size += chunk.length
    if (size >= pieceBytes) await flush()
  }
  await flush()
  return stream.rowCount
}

async function copyBlobs(blobs: Blobs, writer: BackupWriter, signal: AbortSignal): Promise<number> {
  let count = 0
  for await (const { teamId, hash, size } of blobs.list()) {
    signal.throwIfAborted()
    const content = await blobs.read(teamId, hash)
    if (!content) continue // removed since it was listed
    await writer.add(`blobs/${teamId}/${hash}`, size, content as AsyncIterable<Uint8Array>)
    count += 1
  }
  return count
}
