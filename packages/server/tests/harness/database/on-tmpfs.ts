import { spawnSync } from 'node:child_process'
import { makeTestDirectory } from '../server-process.ts'

export const mayMount = process.getuid?.() === 0
export const mayNotMount = 'mounting and other users need root'

/** A file system of its own, gone afterwards. */
export async function onTmpfs(options: string, work: (path: string) => Promise<void>): Promise<void> {
  const directory = await makeTestDirectory()
  const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', options, 'coherex-test', directory.path])
  if (mounted.status !== 0) throw new Error(`cannot mount: ${String(mounted.stderr)}`)
  try {
    await work(directory.path)
  } finally {
    spawnSync('/bin/umount', [directory.path])
    await directory.remove()
  }
}
