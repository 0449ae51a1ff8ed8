import { lstat, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CoherexError } from '@coherex/contract'
import { printable } from '../terminal.ts'
import { isSynced } from './scan-folder.ts'

/** Writes a file of a workspace below a folder: whole or not at all, and never through a link or out of the folder. */
export async function putLocal(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  await checkWay(folder, path)
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  // not synced under this name, should it stay behind
  const fresh = `${target}.conflict-0`
  await writeFile(fresh, bytes)
  await rename(fresh, target)
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
