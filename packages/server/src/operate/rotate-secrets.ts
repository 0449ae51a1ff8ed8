import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { readKeyProof, rotateKeys } from '../access/index.ts'
import {
  attachStore,
  connectOwner,
  DirectoryInUseError,
  replacePrivateFile,
  StartError,
  type Log,
  type Store,
} from '../base/index.ts'
import type { Config } from '../config.ts'
import { openInstallation } from '../open-installation.ts'
import {
  createSecretKey,
  findKeyInForce,
  loadSecretKey,
  nextSecretKeyFile,
  secretKeyFile,
  settleSecretKey,
} from '../secret-key.ts'
import { openBeside } from './open-beside.ts'

export interface RotatedSecrets {
  teams: number
  secrets: number
  /** Where the new key is; undefined when it must be set as COHEREX_SECRET_KEY. */
  file: string | undefined
  newKey: string | undefined
}

/** Shows the outcome. Until it has returned, the new key stays on disk. */
type Tell = (rotated: RotatedSecrets) => Promise<void>

interface OpenedKeys {
  store: Store
  findKey(): Promise<string>
  /** How many servers may be connected meanwhile. */
  servers: number
  close(): Promise<void>
}

const rotationLock = 4_310_003

/**
 * Seals every secret with a new key. The new key is on disk before the database changes, and takes its place after: a crash
 * anywhere between is settled by the next start. A running server of this directory finds the new key there by itself.
 */
export async function rotateSecrets(config: Config, log: Log, tell: Tell): Promise<void> {
  const { dataDirectory: path, secretKey: setting } = config
  const { store, findKey, servers, close } = await openKeys(config, log)
  try {
    const owner = await connectOwner(store.owner)
    try {
      await refuseOthers(owner, store, servers)
      const from = await findKey()
      const to = createSecretKey()
      await replacePrivateFile(path, nextSecretKeyFile, to)
      const counts = await rotateKeys(store.database, { from, to })
      if (setting) await tell({ ...counts, file: undefined, newKey: to })
      else await replacePrivateFile(path, secretKeyFile, to)
      await rm(join(path, nextSecretKeyFile), { force: true })
      if (!setting) await tell({ ...counts, file: join(path, secretKeyFile), newKey: undefined })
    } finally {
      await owner.end()
    }
  } finally {
    await close()
  }
}

async function openKeys(config: Config, log: Log): Promise<OpenedKeys> {
  const setting = config.secretKey
  try {
    const { directory, store, close } = await openInstallation(config, log)
    const findKey = async () =>
      settleSecretKey(directory, store.database, { key: await loadSecretKey(directory, setting), setting })
    return { store, findKey, servers: 0, close }
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error
  }
  if (setting) {
    throw new StartError('A running server cannot be given another COHEREX_SECRET_KEY: stop every server first')
  }
  const beside = await openBeside(config)
  const store = await attachStore({ owner: beside.owner, log }).catch(async (error: unknown) => {
    await beside.close()
    throw error
  })
  const findKey = async () => {
    const key = await findKeyInForce(config.dataDirectory, (await readKeyProof(store.database)) ?? '')
    if (key) return key
    throw new StartError(`The key in ${join(config.dataDirectory, secretKeyFile)} is not the one in force`)
  }
  return { store, findKey, servers: 1, close: () => store.database.close().finally(() => beside.close()) }
}

/** Servers of other directories would not find the new key. Each listens on one connection of its own. */
async function refuseOthers(owner: Client, { app }: Store, servers: number): Promise<void> {
  const { rows } = await owner.query<{ count: number; alone: boolean }>(
    `SELECT pg_try_advisory_lock($2) AS alone, (SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND usename = $1 AND application_name = 'coherex events') AS count`,
    [app.user, rotationLock],
  )
  if (!rows[0]?.alone) throw new StartError('Another rotation is under way')
  if (rows[0].count <= servers) return
  throw new StartError('A server of another data directory is connected to this database: stop it first')
}
