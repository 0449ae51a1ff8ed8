import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rotateKeys } from '../access/index.ts'
import { connectOwner, StartError, type Log, type Store } from '../base/index.ts'
import type { Config } from '../config.ts'
import { openInstallation } from '../open-installation.ts'
import { adoptNextKey, createSecretKey, loadSecretKey, nextSecretKeyFile, settleSecretKey } from '../secret-key.ts'

export interface RotatedSecrets {
  teams: number
  secrets: number
  /** Where the new key is; undefined when it must be set as COHEREX_SECRET_KEY. */
  file: string | undefined
  newKey: string | undefined
}

/**
 * Seals every secret with a new key, while no server runs. The new key is on disk before the database changes, and takes
 * its place after: a crash anywhere between is settled by the next start.
 */
export async function rotateSecrets(
  config: Config,
  log: Log,
  /** Shows the outcome. Until it has returned, the new key stays on disk. */
  tell: (rotated: RotatedSecrets) => Promise<void>,
): Promise<void> {
  const { directory, store, close } = await openInstallation(config, log)
  try {
    await refuseRunning(store)
    const setting = config.secretKey
    const from = await settleSecretKey(directory, store.database, {
      key: await loadSecretKey(directory, setting),
      setting,
    })
    const to = createSecretKey()
    await directory.replacePrivateFile(nextSecretKeyFile, to)
    const counts = await rotateKeys(store.database, { from, to })
    if (setting) {
      await tell({ ...counts, file: undefined, newKey: to })
      await rm(join(directory.path, nextSecretKeyFile))
    } else {
      await adoptNextKey(directory.path)
      await tell({ ...counts, file: join(directory.path, 'secret.key'), newKey: undefined })
    }
  } finally {
    await close()
  }
}

/** Servers on other machines hold no lock of this directory, but they hold connections. */
async function refuseRunning({ owner, app }: Store): Promise<void> {
  const client = await connectOwner(owner)
  try {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND usename = $1',
      [app.user],
    )
    if (rows[0]?.count) throw new StartError('A server is connected to this database: stop every server first')
  } finally {
    await client.end()
  }
}
