import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CoherexError } from '@coherex/contract'
import { printable } from '../terminal.ts'
import { hashFile, isSynced } from './scan-folder.ts'
import { stateFolder } from './state-file.ts'

const incoming = 'incoming-'

/** Where the bytes of a file are put until they are all here. */
export function incomingFile(folder: string): string {
  return join(folder, stateFolder, `${incoming}${randomUUID()}`)
}

/** Takes away what a program that was killed had not finished. */
export async function clearIncoming(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, stateFolder))) {
    if (name.startsWith(incoming)) await rm(join(folder, stateFolder, name), { force: true })
  }
}

/**
 * Puts a file into its place below a folder: whole or not at all, and never through a link or out of the folder. False
 * when what is there is not what it was (`expected`; undefined for nothing): someone saved it meanwhile, and that stays.
 */
export async function placeLocal(
  folder: string,
  path: string,
  { from, expected }: { from: string; expected: string | undefined },
): Promise<boolean> {
  await checkWay(folder, path)
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  const found = await lstat(target).catch(() => undefined)
  // a program stays one
  if (found) await chmod(from, found.mode & 0o777)
  if ((await hashFile(target)) !== expected) return false
  await rename(from, target)
  return true
}

/** Deletes a file, and the folders that are empty without it. */
export async function removeLocal(folder: string, path: string): Promise<void> {
  await checkWay(folder, path)
  await rm(join(folder, path), { force: true })
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    // what is in it stays
    if (
      !(await rmdir(join(folder, above)).then(
        () => true,
        () => false,
      ))
    )
      return
  }
}

async function checkWay(folder: string, path: string): Promise<void> {
  const refuse = (why: string) =>
    new CoherexError('invalid_input', `Cannot write "${printable(path)}": ${why}. Nothing was changed there`)
  if (!isSynced(path)) throw refuse('its path could lead out of the folder')
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const found = await lstat(join(folder, ...parts.slice(0, count))).catch(() => undefined)
    if (found?.isSymbolicLink()) throw refuse('a link is in the way')
    if (found && found.isDirectory() !== count < parts.length) throw refuse('a file and a folder have the same name')
  }
}
