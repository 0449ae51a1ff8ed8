import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSecretKey } from './access/index.ts'
import { StartError, type DataDirectory, type Database } from './base/index.ts'

export const secretKeyFile = 'secret.key'
/** Written before a rotation commits, so that the new key is never lost. */
export const nextSecretKeyFile = 'secret.key.next'

export function createSecretKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The installation's key from the setting, or from the data directory, where the first start puts one. */
export async function loadSecretKey(directory: DataDirectory, setting: string | undefined): Promise<string> {
  return setting ?? (await directory.privateFile(secretKeyFile, createSecretKey)).trim()
}

/** Checks the key against the data. Finishes a rotation that was cut off between the database and the file. */
export async function settleSecretKey(
  directory: DataDirectory,
  database: Database,
  secretKey: string,
): Promise<string> {
  const next = (await readFile(join(directory.path, nextSecretKeyFile), 'utf8').catch(() => ''))?.trim()
  try {
    await checkSecretKey(database, secretKey)
    if (next) await rm(join(directory.path, nextSecretKeyFile), { force: true })
    return secretKey
  } catch (error) {
    if (!next || !(error instanceof StartError)) throw error
    await checkSecretKey(database, next)
    await directory.replacePrivateFile(secretKeyFile, next)
    await rm(join(directory.path, nextSecretKeyFile), { force: true })
    return next
  }
}
