import { randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSecretKey, keyProof, readKeyProof } from './access/index.ts'
import { StartError, syncDirectory, type DataDirectory, type Database } from './base/index.ts'

export const secretKeyFile = 'secret.key'
/** Written before a rotation commits, so that the new key is never lost. */
export const nextSecretKeyFile = 'secret.key.next'

const leastLength = 32

export function createSecretKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The installation's key from the setting or from the data directory; a new one, not kept yet, where neither has one. */
export async function loadSecretKey(directory: DataDirectory, setting: string | undefined): Promise<string> {
  const key = setting ?? (await readKeyFile(directory.path)) ?? createSecretKey()
  if (key.length < leastLength)
    throw new StartError(
      `The secret key in ${join(directory.path, secretKeyFile)} is too short: put the right one there`,
    )
  return key
}

/** Empty when the file is; undefined only when there is none. */
async function readKeyFile(path: string): Promise<string | undefined> {
  const text = await readFile(join(path, secretKeyFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text?.trim()
}

/** The key of the directory, if one is there; nothing is made. */
export async function findSecretKey(path: string, name = secretKeyFile): Promise<string | undefined> {
  return (await readFile(join(path, name), 'utf8').catch(() => '')).trim() || undefined
}

/** Checks the key against the data, and keeps the first one. Finishes a rotation that was cut off between the database and the file. */
export async function settleSecretKey(
  directory: DataDirectory,
  database: Database,
  { key: loaded, setting }: { key: string; setting: string | undefined },
): Promise<string> {
  const next = await findSecretKey(directory.path, nextSecretKeyFile)
  const key = setting ?? (await keepFirstKey(directory, database, { loaded, next }))
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

/**
 * Puts a new key into the directory where nothing was sealed yet. Beside data that was sealed with a key that is gone, a new
 * one would only hide what is missing.
 */
async function keepFirstKey(
  directory: DataDirectory,
  database: Database,
  { loaded, next }: { loaded: string; next: string | undefined },
): Promise<string> {
  const isLost = (await readKeyFile(directory.path)) === undefined && (await readKeyProof(database)) !== undefined
  if (!isLost) return (await directory.privateFile(secretKeyFile, () => loaded)).trim()
  if (next) return loaded
  throw new StartError(
    `The secret key is gone: put the secret.key this data was sealed with into ${directory.path}, or set COHEREX_SECRET_KEY`,
  )
}

/** Finds the key in force among those that a rotation leaves beside a running server. */
export async function findKeyInForce(path: string, proof: string): Promise<string | undefined> {
  // the next one first: a rotation puts it into the other file before it removes it, and so it is in one of the two
  for (const name of [nextSecretKeyFile, secretKeyFile]) {
    const key = await findSecretKey(path, name)
    if (key !== undefined && keyProof(key) === proof) return key
  }
  return undefined
}

/** Puts the next key in the place of the one before. A rename, so that there is always one whole key. */
async function adoptNextKey(path: string): Promise<void> {
  await rename(join(path, nextSecretKeyFile), join(path, secretKeyFile))
  await syncDirectory(path)
}
