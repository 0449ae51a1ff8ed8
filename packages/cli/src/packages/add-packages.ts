import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addToManifest, readManifest, routes, type PackageLock } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import type { FolderManifest } from './folder-manifest.ts'

/** Adds requirements to the manifest of a folder and writes what all of it resolves to beside it. */
export async function addPackages(
  { client }: Connection,
  { directory, folder, asked }: { directory: string; folder: FolderManifest; asked: readonly string[] },
): Promise<{ lock: PackageLock; files: string[] }> {
  const { language, manifest } = folder
  const resolve = async (requirements: string[], lockFile: string | undefined) =>
    client(routes.packages.resolve, {
      body: { language, requirements, ...(lockFile === undefined ? {} : { lockFile }) },
    })
  const add = (resolved: PackageLock['packages']) =>
    asked.reduce<string | undefined>(
      (text, requirement) => addToManifest(manifest, text, { requirement, resolved }),
      folder.text,
    ) ?? ''
  const first = await resolve(readManifest(manifest, add([])), folder.lockText)
  const text = add(first.lock.packages)
  // once more by what the manifest now says: the two files must agree
  const { lock, file } = await resolve(readManifest(manifest, text), first.file.text)
  await writeFile(join(directory, manifest), text)
  await writeFile(join(directory, folder.lock), file.text)
  return { lock, files: [manifest, folder.lock] }
}
