import { randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSecretKey } from './access/index.ts'
import { StartError, syncDirectory, type DataDirectory, type Database } from './base/index.ts'

export const secretKeyFile = 'secret.key'
/** Written before a rotation commits, so that the new key is never lost. */
export const nextSecretKeyFile = 'secret.key.next'

const leastLength = 32

export function createSecretKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The installation's key from the setting, or from the data directory, where the first start puts one. */
export async function loadSecretKey(directory: DataDirectory, setting: string | undefined): Promise<string> {
  const key = setting ?? (await directory.privateFile(secretKeyFile, createSecretKey)).trim()
  if (key.length < leastLength)
    throw new StartError(
      `The secret key in ${join(directory.path, secretKeyFile)} is too short: put the right one there`,
    )
  return key
}

/** The key of the directory, if one is there; nothing is made. */
export async function findSecretKey(path: string, name = secretKeyFile): Promise<string | undefined> {
  return (await readFile(join(path, name), 'utf8').catch(() => '')).trim() || undefined
}

/** Checks the key against the data. Finishes a rotation that was cut off between the database and the file. */
export async function settleSecretKey(
  directory: DataDirectory,
  database: Database,
  { key, setting }: { key: string; setting: string | undefined },
): Promise<string> {
  const next = await findSecretKey(directory.path, nextSecretKeyFile)
  try {
    await checkSecretKey(database, key)
    if (next) await rm(join(directory.path, nextSecretKeyFile), { force: true })
    return key
  } catch (error) {
    if (!next || !(error instanceof StartError)) throw error
    await checkSecretKey(database, next)
    if (setting) {
      const where = join(directory.path, nextSecretKeyFile)
      throw new StartError(`The secret key was rotated: set COHEREX_SECRET_KEY to the content of ${where}`)
    }
    await adoptNextKey(directory.path)
    return next
  }
}

/** Puts the next key in the place of the one before. A rename, so that there is always one whole key. */
export async function adoptNextKey(path: string): Promise<void> {
  await rename(join(path, nextSecretKeyFile), join(path, secretKeyFile))
  await syncDirectory(path)
}
